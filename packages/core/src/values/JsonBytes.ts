import * as DateTime from "effect/DateTime"
import * as Utf8 from "./Utf8.ts"

/** The maximum size of each value that a caller stores as free JSON, such as a contact's custom context: 64 KiB. */
export const maxStoredBytes = 65_536

/** Returns the number of bytes of a value as JSON in UTF-8, or 0 when it cannot be written as JSON. */
export const bytesOf = (value: unknown): number => {
  try {
    // For undefined and for a function JSON.stringify returns undefined, which its type does not show.
    const text: string | undefined = JSON.stringify(value)
    return text === undefined ? 0 : Utf8.encode(text).length
  } catch {
    return 0
  }
}

/** The maximum number of bytes of a character in JSON: `\\u001f`. */
const maxCharacter = 6

/** The maximum number of bytes of a number, a boolean, null or an instant. */
const maxScalar = 32

/**
 * Returns a number of bytes that {@link bytesOf} does not exceed. It looks at no character, so it is many times faster.
 * Returns infinity for a value of an unknown class, and for one that cannot be written as JSON.
 */
export const maxBytesOf = (value: unknown): number => {
  switch (typeof value) {
    case "string":
      return maxCharacter * value.length + 2
    case "number":
    case "boolean":
    case "undefined":
      return maxScalar
    case "object":
      return value === null || DateTime.isDateTime(value) ? maxScalar : maxBytesOfObject(value)
    default:
      return Number.POSITIVE_INFINITY
  }
}

const maxBytesOfObject = (value: object): number => {
  let bytes = 2
  if (Array.isArray(value)) {
    for (const item of value) bytes += maxBytesOf(item) + 1
    return bytes
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return Number.POSITIVE_INFINITY
  for (const [key, inner] of Object.entries(value)) bytes += maxCharacter * key.length + 4 + maxBytesOf(inner)
  return bytes
}

/** Returns the message about a value that has more than `maxBytes` bytes of JSON. */
export const expected = (maxBytes: number): string => `Expected at most ${maxBytes} bytes of JSON in UTF-8`
