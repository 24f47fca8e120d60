import { clean } from "@frontdesk/core/calendar-event/IcsText"

export { oneLine } from "@frontdesk/core/values/Text"

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
