import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router"

/** Returns the text of a JSON string. Throws for any other text. */
const unquoted = (text: string): string => {
  const value: unknown = text.startsWith('"') ? JSON.parse(text) : undefined
  if (typeof value !== "string") throw new TypeError("The text is no JSON string")
  return value
}

/**
 * Reads the part of an address after `?`. Texts are plain there. One in quotes is a JSON string, which earlier versions wrote for
 * texts that look like a number.
 */
export const parseSearch = parseSearchWith(unquoted)

/** Writes the part of an address after `?`. A text that itself looks like a JSON string is written as one. */
export const stringifySearch = stringifySearchWith(JSON.stringify, unquoted)
