/** The most UTF-16 code units of a customer's notes. */
export const maxLength = 10_000

/** Notes to which a text was appended. */
export interface AppendedNotes {
  readonly notes: string
  /** Whether the text was shortened, or left out, because the notes had no room for all of it. */
  readonly isShortened: boolean
}

const ellipsis = "…"

/**
 * Returns the notes with a text on a line of its own under them; a blank text leaves them as they are.
 *
 * A text that does not fit is cut between two characters as people see them, and ends in an ellipsis. One of which
 * nothing fits is left out.
 */
export const append = (notes: string, text: string): AppendedNotes => {
  const line = text.trim()
  if (line === "") return { notes, isShortened: false }
  const before = notes === "" ? "" : `${notes}\n`
  const room = maxLength - before.length
  if (line.length <= room) return { notes: before + line, isShortened: false }
  const start = beginning(line, room - ellipsis.length)
  return { notes: start === "" ? notes : before + start + ellipsis, isShortened: true }
}

/** The first whole characters of a text that have at most so many code units together. */
const beginning = (text: string, limit: number): string => {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (index + segment.length > limit) break
    end = index + segment.length
  }
  return text.slice(0, end).trimEnd()
}
