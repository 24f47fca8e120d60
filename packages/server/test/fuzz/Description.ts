import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as Schema from "effect/Schema"

/** A JSON Schema of the document. */
export type JsonSchema = Readonly<Record<string, unknown>>

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: Schema.optionalKey(JsonSchema) }))

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  required: Schema.optionalKey(Schema.Boolean),
  schema: JsonSchema
})

const Document = Schema.Struct({
  paths: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        parameters: Schema.optionalKey(Schema.Array(Parameter)),
        requestBody: Schema.optionalKey(Schema.Struct({ required: Schema.Boolean, content: Content })),
        responses: Schema.Record(
          Schema.String,
          Schema.Struct({ description: Schema.String, content: Schema.optionalKey(Content) })
        )
      })
    )
  ),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, JsonSchema) })
})

/** A parameter of an operation. */
export type Parameter = typeof Parameter.Type & { readonly validate: ValidateFunction }

/** The body of a request. */
export interface DescribedBody {
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly validate: ValidateFunction
}

/** The description of one status of an operation. */
export interface DescribedAnswer {
  /** The error codes in the description; empty for a success. */
  readonly codes: ReadonlyArray<string>
  /** Validates a JSON body; null if the answer is not JSON. */
  readonly validate: ValidateFunction | null
}

/** One operation of the API. */
export interface Operation {
  /** The method in upper case. */
  readonly method: string
  /** The path, with its parameters in braces. */
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Null if there is no body. */
  readonly body: DescribedBody | null
  readonly answers: ReadonlyMap<number, DescribedAnswer>
}

/** The API as its OpenAPI document describes it. */
export interface Description {
  readonly operations: ReadonlyArray<Operation>
  /** Follows a `$ref`; another schema is returned as it is. */
  readonly resolve: (schema: JsonSchema) => JsonSchema
}

const documentId = "openapi"

const codesIn = (description: string): ReadonlyArray<string> =>
  [...description.matchAll(/`([a-z_]+)`/g)].flatMap(([, code]) => code ?? [])

/** Parses an OpenAPI document. Throws when a part that the fuzz test needs is missing. */
export const read = (json: unknown): Description => {
  const document = Schema.decodeUnknownSync(Document)(json)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: documentId, components: document.components })
  // Most schemas are never used in a run, and compiling one takes longer than a request.
  const compiled = new Map<string, ValidateFunction>()
  const validator = (schema: JsonSchema): ValidateFunction => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema))
    compiled.set(key, validate)
    return validate
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const body = operation.requestBody?.content["application/json"]?.schema
      return {
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((parameter) => ({
          ...parameter,
          get validate() {
            return validator(parameter.schema)
          }
        })),
        body:
          body === undefined
            ? null
            : {
                schema: body,
                isRequired: operation.requestBody?.required === true,
                get validate() {
                  return validator(body)
                }
              },
        answers: new Map(
          Object.entries(operation.responses).map(([status, { content, description }]) => {
            const schema = content?.["application/json"]?.schema
            const answer = {
              codes: codesIn(description),
              get validate() {
                return schema === undefined ? null : validator(schema)
              }
            }
            return [Number(status), answer]
          })
        )
      }
    })
  )
  const { schemas } = document.components
  const resolve = (schema: JsonSchema): JsonSchema => {
    const reference = schema["$ref"]
    if (typeof reference !== "string") return schema
    const found = schemas[reference.replace("#/components/schemas/", "")]
    if (found === undefined) throw new Error(`The document lacks ${reference}`)
    return resolve(found)
  }
  return { operations, resolve }
}

/** Returns the schema with absolute references to the document, so that it can be compiled separately. */
const absolute = (schema: JsonSchema): JsonSchema =>
  Schema.decodeUnknownSync(JsonSchema)(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`))
  )
