import { FrontdeskApiError } from "@frontdesk/client"
import { sentenceOf } from "../app/problemWords.ts"

/** How many numbers one request adds. */
export const maxNumbers = 1_000

/** How many wrong numbers a problem names. */
const maxNamed = 3

/**
 * Returns a phone number as the API has it. White space, hyphens, dots and brackets are left out. A text with `(0)` stays as it is,
 * because the zero belongs to no number with a country code, and the API then refuses it.
 */
export const numberOf = (written: string): string =>
  written.includes("(0)") ? written.trim() : written.replaceAll(/[\s().\-\u2010-\u2015]/g, "")

/** Returns whether a text is a whole number with its country code, which the API accepts. */
export const isWholeNumber = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number)

/** Returns the numbers of a text, as they are written: one on each line, or separated by commas or semicolons. */
export const writtenIn = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\n\r,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")

/**
 * Returns what is wrong with numbers, as the sentence below their field. It names those that the API refuses.
 *
 * @param written the numbers as they are written
 * @param error why the API has refused them, or null
 */
export const problemOfNumbers = (written: ReadonlyArray<string>, error: unknown): string | undefined => {
  if (written.length === 0) return "Write at least one number."
  if (written.length > maxNumbers) return `These are ${written.length} numbers. Add at most ${maxNumbers} at a time.`
  const details = error instanceof FrontdeskApiError ? (error.details ?? []) : []
  const wrong = details.flatMap(({ field }) => {
    const [, index] = /^phone_numbers\[(\d+)\]$/.exec(field) ?? []
    const one = written[Number(index)]
    return one === undefined ? [] : [one]
  })
  if (wrong.length === 0) {
    const whole = details.find(({ field }) => field === "phone_numbers")
    return whole === undefined ? undefined : sentenceOf(whole.message)
  }
  const named = wrong.slice(0, maxNamed).map((one) => `“${one.slice(0, 40)}”`)
  const others = wrong.length - named.length
  const all = [...named, ...(others > 0 ? [others === 1 ? "1 other" : `${others} others`] : [])]
  const list = [all.slice(0, -1).join(", "), ...all.slice(-1)].filter((part) => part !== "").join(" and ")
  return `${list} ${wrong.length === 1 ? "is" : "are"} wrong. Write each number with its country code, as in +12025550123.`
}
