import * as fc from "fast-check"
import type { Description, Operation, Parameter } from "./Description.ts"
import * as ValidValues from "./ValidValues.ts"
import * as HostileValues from "./HostileValues.ts"
import * as Known from "./Known.ts"

/** A request, with placeholders for values from earlier answers. */
export interface FuzzRequest {
  readonly operation: Operation
  /** The method of the operation, or sometimes another one. */
  readonly method: string
  /** The path with the query. Placeholders such as `{{event_id}}` stand for values from earlier answers. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** The index of the caller that sends it. */
  readonly caller: number
  readonly body: Buffer | null
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Percent-encodes a text for a path or query. */
const escape = (text: string): string => {
  try {
    return encodeURIComponent(text)
  } catch {
    // A lone surrogate cannot be encoded in UTF-8, so this returns the invalid bytes for it.
    return "%ED%A0%80"
  }
}

const nothing: ReadonlyArray<string> = []

const oddQueries = ["page=1&page=2", "limit=", "=", "&&&", "a[b]=c", "%", "start_date=%", "?", "x=%ff"]

const sometimes = <A>(weight: number, rare: fc.Arbitrary<A>, usual: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight, arbitrary: rare }, { weight: 100 - weight, arbitrary: usual })

/** Generates header values that `node:http` accepts. */
const headerText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 300 }),
  fc.constantFrom("", "-", "a".repeat(4_000))
)

/** Options of {@link make}. */
export interface RequestOptions {
  /** The number of callers. */
  readonly callers: number
  /** Whether some requests have odd methods, paths, headers and texts in place of JSON. Values may be odd in any case. */
  readonly hasOddParts: boolean
}

/** Generates requests to the operations of the API. The server accepts about a quarter of them. */
export const make = (description: Description, { callers, hasOddParts }: RequestOptions): fc.Arbitrary<FuzzRequest> => {
  const { field, fitting } = ValidValues.make(description)
  const rarely = <A>(weight: number, rare: fc.Arbitrary<A>, usual: fc.Arbitrary<A>): fc.Arbitrary<A> =>
    hasOddParts ? sometimes(weight, rare, usual) : usual

  const inPath = ({ name, schema }: Parameter): fc.Arbitrary<string> => {
    const small = fc.integer({ min: 1, max: 30 }).map(String)
    const placeholder = Known.placeholder(name)
    const usual = sometimes(
      15,
      field(name, schema).map((value) => escape(written(value))),
      placeholder === null ? small : sometimes(20, small, fc.constant(placeholder))
    )
    const odd = fc.constantFrom("%00", "%ff", "%zz", "..", ".", "", "%2e%2e%2f", "1;a=b", "01", "+1", "1e1")
    const any = rarely(12, sometimes(50, HostileValues.text.map(escape), odd), usual)
    // The first API keys are those of the callers. Without them a caller could do nothing more.
    return name === "api_key_id" ? any.map((id) => (/^\d{1,2}$/.test(id) ? `{{${name}}}` : id)) : any
  }

  const path = (operation: Operation): fc.Arbitrary<string> => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === "path")
    return fc
      .tuple(
        fc.record(Object.fromEntries(parameters.map((parameter) => [parameter.name, inPath(parameter)]))),
        rarely(5, fc.constantFrom("/", "//", "/x", "%2F", ";"), fc.constant(""))
      )
      .map(
        ([values, suffix]) => operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "") + suffix
      )
  }

  const query = (operation: Operation): fc.Arbitrary<string> => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === "query")
    const pair = ({ name, schema }: Parameter): fc.Arbitrary<string> =>
      sometimes(15, HostileValues.text, field(name, schema).map(written)).map((value) => `${name}=${escape(value)}`)
    const known = fc.tuple(...parameters.map((parameter) => fc.option(pair(parameter))))
    const others = rarely(8, fc.array<string>(fc.constantFrom(...oddQueries), { maxLength: 3 }), fc.constant(nothing))
    return fc.tuple(known, others).map(([known, others]) => {
      const all = [...known.filter((part) => part !== null), ...others].join("&")
      return all === "" ? "" : `?${all}`
    })
  }

  const body = (operation: Operation): fc.Arbitrary<Buffer | null> => {
    if (operation.body === null) return rarely(10, HostileValues.body, fc.constant(null))
    const mutations = fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 4, arbitrary: fc.array(HostileValues.mutation, { minLength: 1, maxLength: 3 }) }
    )
    const json = fc
      .tuple(fitting(operation.body.schema), mutations)
      .map(([value, changes]) => Buffer.from(JSON.stringify(changes.reduce(HostileValues.mutate, value)) ?? ""))
    return rarely(5, HostileValues.body, json)
  }

  const headers: fc.Arbitrary<Record<string, string>> = fc
    .tuple(
      rarely(
        4,
        fc.constantFrom("text/plain", "application/json; charset=latin1", "application/xml", "application/json;;", ""),
        fc.constant("application/json")
      ),
      rarely(15, fc.constantFrom("a", "b", "c", "d"), fc.constant(null)),
      rarely(3, headerText, fc.constant(null)),
      rarely(5, headerText, fc.constant(null)),
      rarely(3, fc.constantFrom("gzip", "br", "identity", "x"), fc.constant(null))
    )
    .map(([contentType, key, hostileKey, requestId, contentEncoding]) => ({
      "content-type": contentType,
      ...((hostileKey ?? key) !== null && { "idempotency-key": hostileKey ?? key ?? "" }),
      ...(requestId !== null && { "x-request-id": requestId }),
      ...(contentEncoding !== null && { "content-encoding": contentEncoding })
    }))

  const requestOf = (operation: Operation): fc.Arbitrary<FuzzRequest> =>
    fc
      .record({
        method: rarely(
          3,
          fc.constantFrom("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"),
          fc.constant(operation.method)
        ),
        path: path(operation),
        query: query(operation),
        headers,
        caller: fc.constantFrom(...Array.from({ length: callers }, (_, index) => index)),
        body: body(operation)
      })
      .map(({ body, caller, headers, method, path, query }) => ({
        operation,
        method,
        target: `${path}${query}`,
        headers,
        caller,
        body: method === "GET" || method === "HEAD" || method === "TRACE" ? null : body
      }))
  return fc.oneof(...description.operations.map(requestOf))
}
