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
 * Mends the OpenAPI document that effect makes of the API, which is right about what is sent but not about how it is
 * described: whole numbers in paths and queries, names of components, extra keys (they are ignored, not refused),
 * bodies that may be left out, the key, `Idempotency-Key`, and further paths.
 */
export const mend =
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
        const operation = mendOperation(endpoint, object(paths[path]?.[method]), tidied)
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
        schemas: mendSchemas(object(object(tidied["components"])["schemas"])),
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } }
      },
      security: [{ bearer: [] }]
    }
  }

const formats: Json = { CalendarDate: "date", EmailAddress: "email" }

/** Formats that are checked in code, so that the schema does not say them; and no tag, which is the client's own. */
const mendSchemas = (schemas: Json): Json =>
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

/** Names of components without the suffix of their encoded form; no closed objects; no bounds that say nothing. */
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
  description: "The request is executed at most once with this key; a repeat gets the same answer for 24 hours.",
  schema: { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,255}$" }
}

/** Answers that a server gives before it knows the operation, by status, with their codes. */
const early: Json = {
  408: "`request_timeout`: the request did not arrive in time",
  413: "`payload_too_large`: the body, or what stands between its chunks, is too large",
  417: "`invalid_parameter`: only `Expect: 100-continue` can be met",
  431: "`payload_too_large`: the URL and the headers are larger than 16 KB together"
}

/** Adds the answers that are given before the operation is known; they have the body of every error. */
const withEarly = (responses: Json): Json => {
  const { content } = object(responses["500"])
  return {
    ...Object.fromEntries(Object.entries(early).map(([status, description]) => [status, { description, content }])),
    ...responses
  }
}

const mendOperation = (endpoint: HttpApiEndpoint.Top, operation: Json, spec: Json): Json => {
  const { requestBody, responses, security: _security, ...rest } = operation
  const integers = { ...integersOf(endpoint.params), ...integersOf(endpoint.query) }
  const parameters = list(operation["parameters"]).map((parameter) => {
    const { name, schema, ...others } = object(parameter)
    return { name, ...others, schema: integers[String(name)] ?? schema }
  })
  return {
    ...rest,
    responses: withEarly(object(responses)),
    parameters: endpoint.method === "POST" ? [...parameters, idempotencyKey] : parameters,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...object(requestBody), required: isRequired(requestBody, spec) } }),
    ...(Context.get(endpoint.annotations, SignedBy) === null ? {} : { security: [{ bearer: [] }, {}] })
  }
}

/** The schemas of the fields that are whole numbers, by their name on the wire. */
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
