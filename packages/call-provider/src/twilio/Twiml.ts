/** The attributes of an element by name. */
type Attributes = Readonly<Record<string, string>>

/** Characters that no XML document may have, not even as a reference (XML 1.0, 2.2). A lone surrogate is one of them. */
const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // A parser would replace these by spaces in an attribute.
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;"
}

/** Returns a text in the form that an element and an attribute may contain. U+FFFD replaces forbidden characters. */
export const escape = (text: string): string =>
  text.replace(forbidden, "\uFFFD").replace(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? character)

/** Returns an element. Its attributes are escaped, and `content` is XML. */
export const element = (name: string, attributes: Attributes = {}, content = ""): string => {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escape(value)}"`)
  return content === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${content}</${name}>`
}

/** Returns the document of TwiML with verbs, which are XML (twilio.com/docs/voice/twiml). */
export const response = (...verbs: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element("Response", {}, verbs.join(""))}`
