import { type Page, pages } from "@frontdesk/core/values/Page"
import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** Prints a value for machines: JSON, indented by two. */
export const json = (value: Schema.Json): Effect.Effect<void> => Console.log(JSON.stringify(value, null, 2))

/**
 * A text of somebody else on one line, with nothing in it that a terminal obeys or that reorders what is shown: what
 * controls or formats stands as its code.
 */
export const plain = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}}`
  )

/** Prints rows under their heads for people, in columns. */
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

/** Prints names and their values for people, one a line. */
export const fields = (entries: ReadonlyArray<readonly [name: string, value: string]>): Effect.Effect<void> => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return Console.log(entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join("\n"))
}

/** Where in a list a page is, for machines. */
export const numbers = (page: Page<unknown>) => ({
  count: page.count,
  page: page.page,
  limit: page.limit,
  pages: pages(page)
})

/** Where in a list of things a page is. */
export const place = (things: string, page: Page<unknown>): string => {
  if (page.count === 0) return `There are no such ${things}`
  const all = `${things} in all: ${page.count}`
  return page.page > pages(page)
    ? `There is no page ${page.page}; pages: ${pages(page)}, ${all}`
    : `Page ${page.page} of ${pages(page)}; ${all}`
}

/** Prints a line. */
export const line = (text: string): Effect.Effect<void> => Console.log(text)

/** Says how far a long command has come, where it is in nobody's way. */
export const progress = (text: string): Effect.Effect<void> => Console.error(text)
