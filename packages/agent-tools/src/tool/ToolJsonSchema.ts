import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

type Definitions = Fields

const definitionOf = (reference: string, definitions: Definitions): unknown =>
  definitions[reference.slice(reference.lastIndexOf("/") + 1)]

/** Rules that say nothing. `additionalProperties` has a schema where a tool takes names of the caller's choice. */
const isEmptyRule = ([key, value]: readonly [string, unknown]): boolean =>
  (key === "additionalProperties" && value === true) ||
  (key === "minLength" && value === 0) ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (isObject(value) && key !== "properties" && Object.keys(value).length === 0)

/**
 * Returns a JSON Schema in the few words that every provider of models accepts: references are replaced by what they name,
 * `allOf` is merged, and patterns are left out. The tool itself checks every rule. The descriptions are left out too, because
 * they are for errors.
 */
const plain = (value: unknown, definitions: Definitions): unknown => {
  if (Array.isArray(value)) return value.map((inner) => plain(inner, definitions))
  if (!isObject(value)) return value
  const { $ref, allOf, description: _description, pattern: _pattern, ...rest } = value
  const named = typeof $ref === "string" ? definitionOf($ref, definitions) : undefined
  const members: ReadonlyArray<unknown> = Array.isArray(allOf) ? allOf : []
  const parts = [named, rest, ...members].filter(isObject)
  if (parts.length > 1) return plain(Object.fromEntries(parts.flatMap((part) => Object.entries(part))), definitions)
  return Object.fromEntries(
    Object.entries(rest)
      .map(([key, inner]): readonly [string, unknown] => [
        key,
        // Below `properties` the keys are names of arguments, one of which may be called `pattern`.
        key === "properties" && isObject(inner)
          ? Object.fromEntries(Object.entries(inner).map(([name, schema]) => [name, plain(schema, definitions)]))
          : plain(inner, definitions)
      ])
      .filter((rule) => !isEmptyRule(rule))
  )
}

/**
 * Returns the JSON Schema of the encoded form of arguments, draft 2020-12, without references and patterns, and with the
 * description of each argument.
 */
export const argumentsSchema = (
  schema: Schema.Constraint,
  descriptions: Readonly<Record<string, string>>
): JsonSchema.JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema)
  const result = plain(document.schema, document.definitions)
  const { properties, ...rules } = isObject(result) ? result : {}
  const described = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
    name,
    { ...(isObject(property) && property), description: descriptions[name] }
  ])
  return { type: "object", properties: Object.fromEntries(described), ...rules }
}
