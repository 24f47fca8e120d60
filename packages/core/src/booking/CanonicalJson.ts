import type * as Schema from "effect/Schema"

/**
 * Returns JSON as text that is the same for the same value: without spaces, and with the keys of each object in order. So a
 * model that repeats a tool call with its arguments in another order repeats the same call.
 */
export const stringify = (value: Schema.Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${stringify(inner)}`).join(",")}}`
}
