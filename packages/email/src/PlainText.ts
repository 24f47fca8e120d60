import { clean } from "@frontdesk/core/calendar/IcsText"

/** Marks that turn the direction of everything after them, until one that may never come (UAX 9). */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** A text on one line: no line break, no control character, nothing that turns the direction of what follows. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(directions, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()

/** A text on lines of its own: line breaks of every kind as LF, no other control character but TAB. */
export const lines = (text: string): string => clean(text).trim()

/** No more than so many characters, the last one an ellipsis when some are left out. */
export const atMost = (limit: number, text: string): string => {
  const characters = Array.from(text)
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A text for HTML, in elements and in attributes in quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
