import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** Prints a value for machines: JSON, indented by two. */
export const json = (value: Schema.Json): Effect.Effect<void> => Console.log(JSON.stringify(value, null, 2))

/** Prints rows under their heads for people, in columns. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<void> => {
  const all = [heads, ...rows]
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

/** Prints a line. */
export const line = (text: string): Effect.Effect<void> => Console.log(text)
