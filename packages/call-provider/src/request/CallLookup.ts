import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decoded, decodeJson, type Exchange } from "./Exchange.ts"

/** What a question about a call brought: the call, that there is none, or why nobody knows. */
export type Found<Call> = { readonly _tag: "Found"; readonly call: Call } | { readonly _tag: "NotFound" } | Unreachable

/** Nobody knows of a call. */
export interface Unreachable {
  readonly _tag: "Unreachable"
  readonly cause: string
}

const isObject = (body: string): boolean => Option.isSome(decodeObject(body))

const decodeObject = decodeJson(Schema.Record(Schema.String, Schema.Unknown))

/**
 * What the answer to the question for one call says.
 *
 * That there is none is believed of a provider, which says it in JSON, and of no proxy's page: a call would be ended by it.
 */
export const found = <Call>(
  provider: string,
  exchange: Exchange,
  decode: (body: string) => Option.Option<Call>
): Found<Call> => {
  if (exchange._tag === "Answered" && exchange.status === 404 && isObject(exchange.body)) return { _tag: "NotFound" }
  return Option.match(decoded(exchange, decode), {
    onNone: () => unreachable(provider, exchange),
    onSome: (call) => ({ _tag: "Found", call })
  })
}

/** What is known by an answer that says nothing. */
export const unreachable = (provider: string, exchange: Exchange): Unreachable => ({
  _tag: "Unreachable",
  cause: exchange._tag === "Answered" ? `${provider} answered ${exchange.status}` : exchange.cause
})
