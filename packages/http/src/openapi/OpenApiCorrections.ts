import { IdempotencyKey } from "@frontdesk/core/idempotency/Idempotency"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import { snakeKey } from "@frontdesk/core/values/Wire"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Aliases, OnlyKnownFields, SignedBy, takesIdempotencyKey } from "../ApiAnnotations.ts"
import { codesOf } from "../ApiError.ts"
import type { ErrorCode } from "../ErrorCode.ts"
import { type Json, list, object } from "./Json.ts"
import { tidy } from "./SchemaTidying.ts"

/**
 * Returns a function that corrects the OpenAPI document that Effect generates for the API.
 *
 * The generated document differs from the behaviour of the API in some points, and omits others. This function
 *
 * - brings schemas into the form that client generators expect (`tidy`),
 * - describes whole numbers and truth values in paths and queries as such and not as texts,
 * - removes the field `_tag`, which only the typed client has,
 * - lists the error codes of each answer as an `enum`,
 * - marks bodies without required fields as optional, and those that refuse unknown fields,
 * - adds the API key, the header `Idempotency-Key`, the aliases of paths, and the errors that occur before the operation is
 *   known.
 */
export const correct =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (spec: Json): Json => {
    const tidied = object(tidy(spec))
    const paths: Record<string, Record<string, unknown>> = {}
    const strict = new Set<string>()
    for (const [path, operations] of Object.entries(object(tidied["paths"]))) paths[path] = { ...object(operations) }
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, errors }) => {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
        const method = endpoint.method.toLowerCase()
        const operation = correctOperation(endpoint, errors, object(paths[path]?.[method]), tidied)
        paths[path] = { ...paths[path], [method]: operation }
        if (Context.get(endpoint.annotations, OnlyKnownFields)) strict.add(nameOfBody(operation["requestBody"]))
        Context.get(endpoint.annotations, Aliases).forEach(({ deprecated, path: alias }, index) => {
          const operationId = `${String(operation["operationId"])}.${index + 2}`
          paths[alias] = { ...paths[alias], [method]: { ...operation, operationId, deprecated } }
        })
      }
    })
    return {
      ...tidied,
      info: { ...object(tidied["info"]), license: { name: "MIT", identifier: "MIT" } },
      paths,
      components: {
        schemas: correctSchemas(object(object(tidied["components"])["schemas"]), strict),
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "An API key of the account" }
        }
      },
      security: [{ bearer: [] }]
    }
  }

/** Removes the field `_tag`, which only the typed client has. The schemas with a name of `strict` permit no unknown field. */
const correctSchemas = (schemas: Json, strict: ReadonlySet<string>): Json =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties, ...others } = object(schema)
      const rest = strict.has(name) ? { ...others, additionalProperties: false } : others
      const { _tag, ...visible } = object(properties)
      return [name, properties === undefined ? rest : { ...rest, properties: visible }]
    })
  )

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text of your choice for this request. The request is executed at most once with this key. Within 24 hours, a repeat with the same body gets the stored answer.",
  schema: Schema.toJsonSchemaDocument(IdempotencyKey).schema
}

/** The errors that a server can return before it knows the operation, by status. */
const earlyErrors: { readonly [status: string]: { readonly code: ErrorCode; readonly when: string } } = {
  408: { code: "request_timeout", when: "the request did not arrive in time" },
  413: { code: "payload_too_large", when: "the body, or the data between its chunks, is too large" },
  417: { code: "invalid_parameter", when: "the header `Expect` has another value than `100-continue`" },
  431: { code: "payload_too_large", when: "the URL and the headers together are larger than 16 KB" }
}

/** The error schemas of an operation, by status. */
type Errors = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

/** Adds the errors that can occur before the operation is known, and the codes of every error. */
const withErrors = (responses: Json, errors: Errors): Json => {
  const early = Object.entries(earlyErrors).map(([status, { code, when }]): [string, Json] => [
    status,
    { description: `\`${code}\`: ${when}`, content: errorBody([code]) }
  ])
  const own = Object.entries(responses).map(([status, response]): [string, unknown] => {
    const codes = errors.get(Number(status))?.flatMap(codesOf)
    return [status, codes === undefined ? response : { ...object(response), content: errorBody(codes) }]
  })
  return Object.fromEntries([...early, ...own])
}

/** Returns the body of an error that has one of the codes. */
const errorBody = (codes: ReadonlyArray<ErrorCode>): Json => ({
  "application/json": {
    schema: {
      allOf: [
        { $ref: "#/components/schemas/Error" },
        { type: "object", required: ["error"], properties: { error: { type: "string", enum: codes } } }
      ]
    }
  }
})

const correctOperation = (endpoint: HttpApiEndpoint.Top, errors: Errors, operation: Json, spec: Json): Json => {
  const { requestBody, responses, security: _security, ...rest } = operation
  const values = { ...valuesOf(endpoint.params), ...valuesOf(endpoint.query) }
  const parameters = list(operation["parameters"]).map((parameter) => {
    const { name, schema, ...others } = object(parameter)
    return { name, ...others, schema: values[String(name)] ?? schema }
  })
  return {
    ...rest,
    responses: withErrors(object(responses), errors),
    parameters: takesIdempotencyKey(endpoint) ? [...parameters, idempotencyKey] : parameters,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...object(requestBody), required: isRequired(requestBody, spec) } }),
    ...(Context.get(endpoint.annotations, SignedBy) === null ? {} : { security: [{ bearer: [] }, {}] })
  }
}

/**
 * Returns the schemas of the fields that are whole numbers or truth values, by their JSON name. In a URL an id may be larger
 * than any that exists, see `Parameters.idText`.
 */
const valuesOf = (schema: Schema.Top | undefined): Json => {
  if (schema === undefined) return {}
  const document = Schema.toJsonSchemaDocument(Schema.toType(schema))
  return Object.fromEntries(
    Object.entries(object(document.schema["properties"])).flatMap(([name, field]) => {
      const { type } = object(field)
      if (type === "boolean") return [[snakeKey(name), object(tidy(field))]]
      return type === "integer" ? [[snakeKey(name), inUrl(object(tidy(field)))]] : []
    })
  )
}

const inUrl = ({ maximum, ...integer }: Json): Json =>
  integer["exclusiveMinimum"] === undefined
    ? { ...integer, maximum }
    : { ...integer, exclusiveMaximum: 10 ** DatabaseId.maxDigits }

const schemaOf = (requestBody: unknown): Json =>
  object(object(object(object(requestBody)["content"])["application/json"])["schema"])

/** Returns the name of the component with the schema of a body, or "" for a body without one. */
const nameOfBody = (requestBody: unknown): string => {
  const reference = schemaOf(requestBody)["$ref"]
  return typeof reference === "string" ? reference.replace("#/components/schemas/", "") : ""
}

const isRequired = (requestBody: unknown, spec: Json): boolean => {
  const schema = schemaOf(requestBody)
  const component = object(object(object(spec["components"])["schemas"])[nameOfBody(requestBody)])
  return list(schema["required"] ?? component["required"]).length > 0
}
