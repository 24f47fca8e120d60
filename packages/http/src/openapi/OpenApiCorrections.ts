import { snakeKey } from "@frontdesk/core/values/Wire"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Aliases, SignedBy } from "../ApiAnnotations.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)

const object = (value: unknown): Json => (isJson(value) ? value : {})

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/**
 * Returns a function that corrects the OpenAPI document that Effect generates for the API.
 *
 * The generated document differs from the behaviour of the API in some points, and omits others. This function
 *
 * - describes whole numbers in paths and queries as integers and not as texts,
 * - removes the suffix `Encoded` from the names of components, and the field `_tag` from their fields,
 * - allows unknown keys, which the API ignores,
 * - removes bounds that exclude nothing,
 * - marks bodies without required fields as optional,
 * - adds the API key, the header `Idempotency-Key`, the aliases of paths, the formats of texts, and the errors that occur
 *   before the operation is known.
 */
export const correct =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (spec: Json): Json => {
    const tidied = object(tidy(spec))
    const paths: Record<string, Record<string, unknown>> = {}
    for (const [path, operations] of Object.entries(object(tidied["paths"]))) paths[path] = { ...object(operations) }
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
        const method = endpoint.method.toLowerCase()
        const operation = correctOperation(endpoint, object(paths[path]?.[method]), tidied)
        paths[path] = { ...paths[path], [method]: operation }
        Context.get(endpoint.annotations, Aliases).forEach(({ deprecated, path: alias }, index) => {
          const operationId = `${String(operation["operationId"])}.${index + 2}`
          paths[alias] = { ...paths[alias], [method]: { ...operation, operationId, deprecated } }
        })
      }
    })
    return {
      ...tidied,
      paths,
      components: {
        schemas: correctSchemas(object(object(tidied["components"])["schemas"])),
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "An API key of the account" }
        }
      },
      security: [{ bearer: [] }]
    }
  }

const formats: Json = { CalendarDate: "date", EmailAddress: "email" }

/**
 * Adds the formats that functions check, because the generated schemas omit them. Removes the field `_tag`, which only
 * the typed client has.
 */
const correctSchemas = (schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties, ...rest } = object(schema)
      const { _tag, ...visible } = object(properties)
      const format = formats[name]
      return [
        name,
        {
          ...rest,
          ...(properties === undefined ? {} : { properties: visible }),
          ...(format === undefined ? {} : { format })
        }
      ]
    })
  )

/** Removes `additionalProperties: false`, bounds that exclude nothing, and the suffix `Encoded` from names. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): ReadonlyArray<[string, unknown]> => {
      if (key === "additionalProperties" && inner === false) return []
      if (key === "minLength" && inner === 0) return []
      if ((key === "maximum" || key === "minimum") && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER) return []
      if (key === "$ref" && typeof inner === "string") return [[key, inner.replace(/Encoded(\d*)$/, "$1")]]
      if (key === "schemas") {
        return [
          [key, Object.fromEntries(Object.entries(object(inner)).map(([name, schema]) => [nameOf(name), tidy(schema)]))]
        ]
      }
      return [[key, tidy(inner)]]
    })
  )
}

const nameOf = (name: string): string => name.replace(/Encoded(\d*)$/, "$1")

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text of your choice for this request. The request is executed at most once with this key. Within 24 hours, a repeat with the same body gets the stored answer.",
  schema: { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,255}$" }
}

/** The errors that a server can return before it knows the operation, by status. */
const earlyErrors: Json = {
  408: "`request_timeout`: the request did not arrive in time",
  413: "`payload_too_large`: the body, or the data between its chunks, is too large",
  417: "`invalid_parameter`: the header `Expect` has another value than `100-continue`",
  431: "`payload_too_large`: the URL and the headers together are larger than 16 KB"
}

/** Adds the errors that can occur before the operation is known. Their body is that of any other error. */
const withEarlyErrors = (responses: Json): Json => {
  const { content } = object(responses["500"])
  return {
    ...Object.fromEntries(
      Object.entries(earlyErrors).map(([status, description]) => [status, { description, content }])
    ),
    ...responses
  }
}

const correctOperation = (endpoint: HttpApiEndpoint.Top, operation: Json, spec: Json): Json => {
  const { requestBody, responses, security: _security, ...rest } = operation
  const integers = { ...integersOf(endpoint.params), ...integersOf(endpoint.query) }
  const parameters = list(operation["parameters"]).map((parameter) => {
    const { name, schema, ...others } = object(parameter)
    return { name, ...others, schema: integers[String(name)] ?? schema }
  })
  return {
    ...rest,
    responses: withEarlyErrors(object(responses)),
    parameters: endpoint.method === "POST" ? [...parameters, idempotencyKey] : parameters,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...object(requestBody), required: isRequired(requestBody, spec) } }),
    ...(Context.get(endpoint.annotations, SignedBy) === null ? {} : { security: [{ bearer: [] }, {}] })
  }
}

/** Returns the schemas of the fields that are whole numbers, by their JSON name. */
const integersOf = (schema: Schema.Top | undefined): Json => {
  if (schema === undefined) return {}
  const document = Schema.toJsonSchemaDocument(Schema.toType(schema))
  return Object.fromEntries(
    Object.entries(object(document.schema["properties"])).flatMap(([name, field]) =>
      object(field)["type"] === "integer" ? [[snakeKey(name), tidy(field)]] : []
    )
  )
}

const isRequired = (requestBody: unknown, spec: Json): boolean => {
  const schema = object(object(object(object(requestBody)["content"])["application/json"])["schema"])
  const reference = schema["$ref"]
  const name = typeof reference === "string" ? reference.replace("#/components/schemas/", "") : ""
  const component = object(object(object(spec["components"])["schemas"])[name])
  return list(schema["required"] ?? component["required"]).length > 0
}
