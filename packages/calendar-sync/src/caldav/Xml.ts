import { parseXml, XmlCdata, XmlElement, XmlText } from "@rgrove/parse-xml"

/** An element of an XML document. */
export interface Element {
  /** Its name with its namespace, `{DAV:}href`. */
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: ReadonlyArray<Element>
  /** Its own text, without that of its children. */
  readonly text: string
}

/** How deep an answer may nest: those of WebDAV have ten levels. */
const maximumDepth = 100

/** What XML has no place for (XML 1.0 2.2), as it is or as a reference: servers pass it on from the events they were given. */
const forbidden =
  /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/giu

/**
 * The root of a document (XML 1.0, Namespaces in XML 1.0). Of a document type nothing is used: it declares no entity, so
 * that none can grow. A character that XML forbids is read as U+FFFD.
 *
 * @throws when it is not well-formed, or nests too deep
 */
export const parse = (text: string): Element => {
  const { root } = parseXml(text.replace(forbidden, "\uFFFD"))
  if (root === null) throw new Error("it has no element")
  return elementOf(root, new Map(), 0)
}

const elementOf = (element: XmlElement, outer: ReadonlyMap<string, string>, depth: number): Element => {
  if (depth > maximumDepth) throw new Error("it nests too deep")
  const spaces = new Map(outer)
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name === "xmlns") spaces.set("", value)
    else if (name.startsWith("xmlns:")) spaces.set(name.slice(6), value)
  }
  const [local = "", prefix = ""] = element.name.split(":").toReversed()
  return {
    name: `{${spaces.get(prefix) ?? ""}}${local}`,
    attributes: element.attributes,
    children: element.children.flatMap((child) =>
      child instanceof XmlElement ? [elementOf(child, spaces, depth + 1)] : []
    ),
    text: element.children
      .map((child) => (child instanceof XmlText || child instanceof XmlCdata ? child.text : ""))
      .join("")
  }
}

/** The children of that name. */
export const all = (element: Element, name: string): ReadonlyArray<Element> =>
  element.children.filter((child) => child.name === name)

/** The first child of that name. */
export const first = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)
