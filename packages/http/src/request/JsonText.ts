import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** The number of items above which an array is written in parts. */
const maxWhole = 10

/** The number of characters after which other callers get a turn. */
const partLength = 65_536

/**
 * Returns the JSON text of an encoded answer, the same text as `JSON.stringify`.
 *
 * The items of a long array in a field are written one by one, and other callers get a turn after each 65,536
 * characters. Writing a page of 2 MiB at once would block the thread for ten milliseconds.
 */
export const stringify = (value: unknown): Effect.Effect<string> =>
  Predicate.isObject(value) && Object.values(value).some(isLong)
    ? inParts(value)
    : Effect.succeed(JSON.stringify(value))

const inParts = Effect.fnUntraced(function* (value: object) {
  let text = "{"
  let written = 0
  for (const [key, field] of Object.entries(value)) {
    const separator = `${text === "{" ? "" : ","}${JSON.stringify(key)}:`
    if (!isLong(field)) {
      // Unlike its type, `JSON.stringify` returns undefined for undefined and for functions.
      const plain: string | undefined = JSON.stringify(field)
      if (plain !== undefined) text += separator + plain
      continue
    }
    text += `${separator}[`
    for (const [index, item] of field.entries()) {
      text += (index === 0 ? "" : ",") + (JSON.stringify(item) ?? "null")
      if (text.length - written < partLength) continue
      written = text.length
      yield* Effect.yieldNow
    }
    text += "]"
  }
  return `${text}}`
})

const isLong = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length > maxWhole
