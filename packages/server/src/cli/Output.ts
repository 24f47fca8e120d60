import { type Page, pages } from "@frontdesk/core/values/Page"
import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** Prints a value as JSON, indented by two spaces. */
export const json = (value: Schema.Json): Effect.Effect<void> => Console.log(JSON.stringify(value, null, 2))

/**
 * Returns a text on one line that is safe to print. Each control or format character is replaced by its code, `\u{1b}`.
 * Otherwise a text of a third party could change the terminal or the order of the printed characters.
 */
export const plain = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}}`
  )

/** Prints rows in aligned columns under their heads. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<void> => {
  const all = [heads, ...rows].map((row) => row.map(plain))
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return Console.log(all.map(line).join("\n"))
}

/** Prints names with their values, one pair on each line. */
export const fields = (entries: ReadonlyArray<readonly [name: string, value: string]>): Effect.Effect<void> => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return Console.log(entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join("\n"))
}

/** Returns the position of a page in its list, as fields for JSON. `count_is_capped` only if the list can be capped. */
export const pageFields = (page: Page<unknown>) => ({
  count: page.count,
  page: page.page,
  limit: page.limit,
  pages: pages(page),
  ...(page.isCapped !== undefined && { count_is_capped: page.isCapped })
})

/** Returns the position of a page in its list as a sentence. `noun` names the listed records in the plural. */
export const place = (noun: string, page: Page<unknown>): string => {
  if (page.count === 0) return `There are no such ${noun}`
  const total =
    page.isCapped === true ? `the newest ${page.count} ${noun} are listed` : `${noun} in total: ${page.count}`
  return page.page > pages(page)
    ? `There is no page ${page.page}; pages: ${pages(page)}, ${total}`
    : `Page ${page.page} of ${pages(page)}; ${total}`
}

/** Prints a line to standard output. */
export const line = (text: string): Effect.Effect<void> => Console.log(text)

/** Prints the progress of a long command, or a warning, to standard error, so that standard output has only the result. */
export const progress = (text: string): Effect.Effect<void> => Console.error(text)
