import * as Schema from "effect/Schema"
import { bytesOf } from "./JsonBytes.ts"

export * from "./JsonBytes.ts"

/** The key of the annotation with which {@link withMaxBytes} marks its filter. `Oversize` reads the maximum from it. */
export const annotation = "@frontdesk/core/values/JsonSize"

/** Returns a filter that fails for a value of more than `maxBytes` bytes as JSON in UTF-8. */
export const withMaxBytes = (maxBytes: number) =>
  Schema.makeFilter((value: unknown) => bytesOf(value) <= maxBytes, {
    description: `at most ${maxBytes} bytes of JSON in UTF-8`,
    [annotation]: maxBytes
  })

/** The maximum number of levels of objects and arrays in a stored JSON value. The value itself is the first level. */
export const maxDepth = 64

/** Returns whether a value has at most a number of levels of objects and arrays. Default: {@link maxDepth}. */
export const isShallow = (value: Schema.Json, levels: number = maxDepth): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)))

/**
 * A filter that fails for a value of more than {@link maxDepth} levels. A deeper value could exhaust the stack of code
 * that reads or writes it.
 */
export const shallow = Schema.makeFilter((value: Schema.JsonObject) => isShallow(value), {
  description: `at most ${maxDepth} levels of objects and arrays`
})
