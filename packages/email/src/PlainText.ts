import { clean } from "@frontdesk/core/calendar-event/IcsText"

export { escapeHtml } from "@frontdesk/core/values/Html"
export { oneLine } from "@frontdesk/core/values/Text"

/** Returns a text with every line break as LF, without control characters other than TAB, and trimmed. */
export const lines = (text: string): string => clean(text).trim()

/** Returns a text shortened to `limit` characters. A shortened text ends in an ellipsis. */
export const truncate = (limit: number, text: string): string => {
  const characters = Array.from(text)
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`
}
