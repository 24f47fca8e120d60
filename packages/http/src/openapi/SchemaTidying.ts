import * as WallTime from "@frontdesk/core/values/WallTime"
import { isJson, type Json, list, object } from "./Json.ts"

/**
 * Returns a part of the document in the form that client generators expect of JSON schemas:
 *
 * - A time that may lack an offset has a `pattern`.
 * - `additionalProperties` is absent, and `true` where any key is stored.
 * - A schema has its rules itself, and not in an `allOf`, from which generators make types such as `string & unknown`.
 * - An `anyOf` has no equal members.
 * - The suffix `Encoded` of names, and the bounds of an integer that may be any safe one, are absent.
 */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isJson(value)) return value
  const tidied = Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): ReadonlyArray<[string, unknown]> => {
      if (key === "additionalProperties" && (inner === false || (inner === true && "properties" in value))) return []
      // A format of our own, because `date-time` requires an offset.
      if (key === "format" && inner === WallTime.format) return [["pattern", WallTime.form.source]]
      if (key === "minLength" && inner === 0) return []
      if ((key === "maximum" || key === "minimum") && value["minimum"] === Number.MIN_SAFE_INTEGER) return []
      if (key === "$ref" && typeof inner === "string") return [[key, nameOf(inner)]]
      if (key === "schemas") {
        return [
          [key, Object.fromEntries(Object.entries(object(inner)).map(([name, schema]) => [nameOf(name), tidy(schema)]))]
        ]
      }
      return [[key, tidy(inner)]]
    })
  )
  return withOpenKeys(withoutRepeats(merged(tidied)))
}

/** Returns a name of a component, or a reference to one in the document, without the suffix `Encoded`. */
export const nameOf = (name: string): string =>
  name.replace(/Encoded(\d*)$/, "$1").replace("#/$defs/", "#/components/schemas/")

/** Returns a schema with the rules of its `allOf` as its own. A rule that it already has stays in the `allOf`. */
const merged = (schema: Json): Json => {
  const { allOf, ...own } = schema
  const parts = list(allOf).map(object)
  if (parts.length === 0 || parts.some((part) => "$ref" in part)) return schema
  const rules = new Map(Object.entries(own))
  const rest: Array<Json> = []
  for (const part of parts) {
    const added = Object.entries(part).filter(([name]) => name !== "description")
    if (added.some(([name, rule]) => rules.has(name) && !isEqual(rules.get(name), rule))) {
      rest.push(part)
      continue
    }
    for (const [name, rule] of added) rules.set(name, rule)
    const descriptions = [rules.get("description"), part["description"]].filter((text) => typeof text === "string")
    if (descriptions.length > 0) rules.set("description", [...new Set(descriptions)].join(". "))
  }
  return { ...Object.fromEntries(rules), ...(rest.length > 0 && { allOf: rest }) }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns a schema whose `anyOf` has each member once, or the member itself if it is the only one. */
const withoutRepeats = (schema: Json): Json => {
  const { anyOf, ...own } = schema
  if (anyOf === undefined) return schema
  const members = [...new Map(list(anyOf).map((member) => [JSON.stringify(member), member])).values()]
  const [only] = members
  return members.length === 1 && isJson(only) ? { ...only, ...own } : { ...own, anyOf: members }
}

/** Returns a schema of an object without fields of its own, whose keys are all stored, as a map with any values. */
const withOpenKeys = (schema: Json): Json =>
  schema["type"] === "object" && schema["properties"] === undefined && schema["additionalProperties"] === undefined
    ? { ...schema, additionalProperties: true }
    : schema
