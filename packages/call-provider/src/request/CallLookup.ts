import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decoded, decodeJson, type Exchange } from "./Exchange.ts"

/** The result of looking up a call: the call, that it does not exist, or that its state could not be found out. */
export type Found<Call> = { readonly _tag: "Found"; readonly call: Call } | { readonly _tag: "NotFound" } | Unreachable

/** The provider did not answer, or its answer could not be used. */
export interface Unreachable {
  readonly _tag: "Unreachable"
  readonly cause: string
}

const isObject = (body: string): boolean => Option.isSome(decodeObject(body))

const decodeObject = decodeJson(Schema.Record(Schema.String, Schema.Unknown))

/**
 * Returns the result of a lookup from the answer of a provider.
 *
 * A 404 counts as `NotFound` only with JSON, as providers write it. The 404 page of a proxy does not, because `NotFound` ends
 * the call.
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

/** Returns the result of a lookup whose answer is missing or cannot be used. */
export const unreachable = (provider: string, exchange: Exchange): Unreachable => ({
  _tag: "Unreachable",
  cause: exchange._tag === "Answered" ? `${provider} answered ${exchange.status}` : exchange.cause
})
