import * as Schema from "effect/Schema"
import * as Utf8 from "./Utf8.ts"

/** How many bytes of JSON each context of a contact may have, and so much else that callers store as any JSON: 64 KiB. */
export const maxStoredBytes = 65_536

/** Returns how many bytes a value has as JSON in UTF-8; 0 when it cannot be written as JSON. */
export const bytesOf = (value: unknown): number => {
  try {
    // The types do not say it, but there is no JSON of undefined or of a function.
    const text: string | undefined = JSON.stringify(value)
    return text === undefined ? 0 : Utf8.encode(text).length
  } catch {
    return 0
  }
}

/** Returns the message about a value with more bytes of JSON than it may have. */
export const expected = (maxBytes: number): string => `Expected at most ${maxBytes} bytes of JSON in UTF-8`

/** The annotation of {@link atMost}, by which `Oversize` finds it. */
export const annotation = "@frontdesk/core/values/JsonSize"

/** Fails when a value has more bytes as JSON in UTF-8. */
export const atMost = (maxBytes: number) =>
  Schema.makeFilter((value: unknown) => bytesOf(value) <= maxBytes, {
    description: `at most ${maxBytes} bytes of JSON in UTF-8`,
    [annotation]: maxBytes
  })

/** How many levels of objects and arrays a stored JSON value may have, itself included. */
export const maxDepth = 64

const isWithin = (value: Schema.Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)))

/** Fails for more than {@link maxDepth} levels, which would exhaust the stack of code that reads or writes the value. */
export const shallow = Schema.makeFilter((value: Schema.JsonObject) => isWithin(value, maxDepth), {
  description: `at most ${maxDepth} levels of objects and arrays`
})
