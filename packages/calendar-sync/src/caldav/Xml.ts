import { parseXml, XmlCdata, XmlElement, XmlText } from "@rgrove/parse-xml"

/** An element of an XML document. */
export interface Element {
  /** The name with its namespace, such as `{DAV:}href`. */
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: ReadonlyArray<Element>
  /** The text of the element without that of its children. */
  readonly text: string
}

/** The maximum depth of nested elements. WebDAV needs about ten levels. */
const maxDepth = 100

/**
 * Characters that XML forbids (XML 1.0 2.2), literal or as a reference. Some servers copy them from events into their
 * answers.
 */
const forbidden =
  /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/giu

/**
 * Parses a document and returns its root element (XML 1.0, Namespaces in XML 1.0). The document type is ignored, so that
 * entities cannot expand without limit. A character that XML forbids is replaced by U+FFFD.
 *
 * @throws when the text is not well-formed, or when its elements are nested too deeply
 */
export const parse = (text: string): Element => {
  const { root } = parseXml(text.replace(forbidden, "\uFFFD"))
  if (root === null) throw new Error("the document has no element")
  return elementOf(root, new Map(), 0)
}

const elementOf = (element: XmlElement, outer: ReadonlyMap<string, string>, depth: number): Element => {
  if (depth > maxDepth) throw new Error("the elements are nested too deeply")
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

/** Returns the children with a name. */
export const all = (element: Element, name: string): ReadonlyArray<Element> =>
  element.children.filter((child) => child.name === name)

/** Returns the first child with a name, or undefined when there is none. */
export const first = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)
