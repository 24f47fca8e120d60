import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** An array with more items is written in parts. */
const maxWhole = 10

/** How many characters are written before others have their turn. */
const partLength = 65_536

/**
 * Returns the JSON text of an encoded answer: what `JSON.stringify` returns. The items of a long array in one of its
 * fields are written one after the other, and others have their turn between parts of 64 KiB, because a page of 2 MiB
 * takes ten milliseconds.
 */
export const stringify = (value: unknown): Effect.Effect<string> =>
  Predicate.isObject(value) && Object.values(value).some(isLong)
    ? inParts(value)
    : Effect.sync(() => JSON.stringify(value))

const inParts = Effect.fnUntraced(function* (value: object) {
  let text = "{"
  let written = 0
  for (const [key, field] of Object.entries(value)) {
    const separator = `${text === "{" ? "" : ","}${JSON.stringify(key)}:`
    if (!isLong(field)) {
      // The types do not say it, but there is no JSON of undefined.
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
