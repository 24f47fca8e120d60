import type { Operation } from "@frontdesk/core/access/Permission"
import type { Principal } from "@frontdesk/core/access/Principal"
import * as JsonEncoder from "@frontdesk/core/values/JsonEncoder"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { hasBody } from "effect/http/HttpMethod"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { Api } from "../Api.ts"
import {
  Aliases,
  Atomic,
  CostOf,
  FieldCodes,
  KeyAccount,
  OnlyKnownFields,
  OperationName,
  SecretFields,
  SignedBy,
  takesIdempotencyKey,
  TextAnswer
} from "../ApiAnnotations.ts"
import type { Handlers } from "../Handlers.ts"
import type { HttpError } from "../HttpError.ts"
import type { CallerRoute, ExtraRoute } from "../HttpOptions.ts"
import type { JsonObject } from "./Body.ts"
import * as RequestCost from "./RequestCost.ts"
import type { Answer } from "./Exchange.ts"
import { bodyDecoder, type FieldError, parseQuery, pathDecoder, queryDecoder } from "./RequestFields.ts"
import * as JsonText from "./JsonText.ts"

/** The parts of a request that a route decodes. */
export interface Parts {
  readonly path: Readonly<Record<string, string | undefined>>
  /** The text after the question mark. */
  readonly query: string
  readonly body: JsonObject
}

/** The handler of any endpoint. Its input is what the decoder of the route returns. */
type AnyHandler<R> = (input: unknown) => Effect.Effect<unknown, HttpError, R>

/** An endpoint of the API at one of its paths, with compiled decoders and encoders. */
export interface OperationRoute {
  readonly _tag: "Operation"
  readonly method: string
  readonly path: `/${string}`
  /** The first path of the endpoint. The scope of an idempotency key has this path, whichever alias a client uses. */
  readonly canonicalPath: `/${string}`
  readonly operation: Operation
  readonly deprecated: boolean
  readonly takesBody: boolean
  readonly takesIdempotencyKey: boolean
  /** The path parameter with the account to which an idempotency key belongs. Null for the account of the caller. */
  readonly keyAccount: string | null
  readonly atomic: boolean
  /** The JSON names of the fields of the answer that contain a secret. */
  readonly secrets: ReadonlyArray<string>
  /** Returns the cost of a request from the text after the question mark. */
  readonly cost: (query: string) => number
  readonly decode: (parts: Parts) => Result.Result<unknown, FieldError>
  readonly handle: AnyHandler<Principal>
  /**
   * The query parameter with the signature of a link, and the handler for requests with it. Undefined for an endpoint
   * without signed links.
   */
  readonly signed: { readonly parameter: string; readonly handle: AnyHandler<never> } | undefined
  /**
   * Returns the answer for the value that the handler has returned. Other callers get turns while a large answer is
   * written.
   */
  readonly encode: (value: unknown) => Effect.Effect<Answer>
}

/** A route that is not an operation of the API, such as `/health` or `/openapi.json`. */
export type PlainRoute = ExtraRoute & {
  readonly _tag: "Plain"
  /**
   * Whether the handler waits for a body. It then has no place among the requests that run at once, so that slow clients do
   * not keep other requests out. Default: false.
   */
  readonly waitsForBody?: boolean | undefined
}

/** A route for callers of the API that is not part of it, such as `/mcp`. */
export type FurtherRoute = CallerRoute & { readonly _tag: "Caller" }

/** A route of any kind. */
export type Route = OperationRoute | PlainRoute | FurtherRoute

type AnyHandlers<R> = { readonly [group: string]: { readonly [name: string]: AnyHandler<R> } }

/* oxlint-disable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
   -- The types that an endpoint decodes exist only in phantom fields. `Handlers` checks each handler against its endpoint.
   Here handler and endpoint are joined again by the name of the endpoint, and the values come from the endpoint's own
   schemas. */
const erase = <R>(handlers: unknown): AnyHandlers<R> => handlers as AnyHandlers<R>
const codec = (schema: Schema.Top): Schema.Codec<unknown, unknown> => schema as Schema.Codec<unknown, unknown>
/* oxlint-enable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion */

/** Returns a route for every path of every endpoint, aliases included. */
export const compile = (handlers: Handlers, signed: object): ReadonlyArray<OperationRoute> => {
  const byGroup = erase<Principal>(handlers)
  const signedByGroup = erase<never>(signed)
  const routes: Array<OperationRoute> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      const handle = byGroup[group.identifier]?.[endpoint.identifier]
      if (handle === undefined)
        throw new Error(`The endpoint ${group.identifier}.${endpoint.identifier} has no handler`)
      const { annotations } = endpoint
      const parameter = Context.get(annotations, SignedBy)
      const handleSigned = signedByGroup[group.identifier]?.[endpoint.identifier]
      const route: Omit<OperationRoute, "path" | "deprecated"> = {
        _tag: "Operation",
        method: endpoint.method,
        canonicalPath: pathOf(endpoint.path),
        operation: Context.getUnsafe(annotations, OperationName),
        takesBody: hasBody(endpoint.method) && endpoint.method !== "DELETE",
        takesIdempotencyKey: takesIdempotencyKey(endpoint),
        keyAccount: Context.get(annotations, KeyAccount),
        atomic: Context.get(annotations, Atomic),
        secrets: Context.get(annotations, SecretFields),
        cost: costOf(Context.get(annotations, CostOf)),
        decode: decoder(endpoint),
        handle,
        signed: parameter === null || handleSigned === undefined ? undefined : { parameter, handle: handleSigned },
        encode: encoder(endpoint, successes)
      }
      routes.push({ ...route, path: route.canonicalPath, deprecated: false })
      for (const { deprecated, path } of Context.get(annotations, Aliases)) routes.push({ ...route, path, deprecated })
    }
  })
  return routes
}

const pathOf = (path: string): `/${string}` => `/${path.slice(1)}`

const costOf = (cost: RequestCost.Cost): OperationRoute["cost"] =>
  cost === RequestCost.ordinary ? () => 1 : (query) => cost(new URLSearchParams(query))

const absent = Result.succeed(undefined)

const decoder = (endpoint: HttpApiEndpoint.Top): OperationRoute["decode"] => {
  const codes = Context.get(endpoint.annotations, FieldCodes)
  const path = endpoint.params === undefined ? () => absent : pathDecoder(codec(endpoint.params))
  const query = endpoint.query === undefined ? parseQuery : queryDecoder(codec(endpoint.query), codes)
  const [payload] = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  const isStrict = Context.get(endpoint.annotations, OnlyKnownFields)
  const body = payload === undefined ? () => absent : bodyDecoder(codec(payload), codes, isStrict)
  const isNullable = payload === undefined || !isStrict ? () => true : knownFields(payload)
  // Null clears a field in a PATCH (D-HTTP-3). In a PUT or a POST a field with null counts as absent (D-HTTP-4).
  const prepare = endpoint.method === "PATCH" ? (body: JsonObject) => body : withoutNulls(isNullable)
  return (parts) => {
    const params = path(parts.path)
    if (Result.isFailure(params)) return Result.fail(params.failure)
    const parameters = query(parts.query)
    if (Result.isFailure(parameters)) return Result.fail(parameters.failure)
    return Result.map(body(prepare(parts.body)), (payload) => ({
      params: params.success,
      query: parameters.success,
      payload
    }))
  }
}

const withoutNulls =
  (isNullable: (field: string) => boolean) =>
  (body: JsonObject): JsonObject =>
    Object.values(body).includes(null)
      ? Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== null || !isNullable(field)))
      : body

/** Returns whether a body has a field with a name. */
const knownFields = ({ ast }: Schema.Top): ((field: string) => boolean) => {
  const encoded = SchemaAST.toEncoded(ast)
  const names = new Set(SchemaAST.isObjects(encoded) ? encoded.propertySignatures.map(({ name }) => name) : [])
  return (field) => names.has(field)
}

const encoder = (
  endpoint: HttpApiEndpoint.Top,
  successes: ReadonlyMap<number, ReadonlyArray<Schema.Top>>
): OperationRoute["encode"] => {
  const contentType = Context.get(endpoint.annotations, TextAnswer)
  const answers = [...successes].flatMap(([status, schemas]) =>
    schemas.map((schema) => ({
      status,
      is: Schema.is(codec(schema)),
      encode: JsonEncoder.compile(codec(schema))
    }))
  )
  const [first] = answers
  if (first === undefined) throw new Error(`The endpoint ${endpoint.identifier} declares no success`)
  return (value) => {
    const { encode, status } = answers.length === 1 ? first : (answers.find(({ is }) => is(value)) ?? first)
    return contentType === null
      ? Effect.mapEager(JsonText.stringify(encode(value)), (body) => ({ status, body }))
      : Effect.succeed({ status, body: String(encode(value)), contentType })
  }
}
