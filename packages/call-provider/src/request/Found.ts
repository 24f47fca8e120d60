import * as Option from "effect/Option"
import { decoded, type Exchange } from "./Exchange.ts"

/** What a question about a call brought: the call, that there is none, or why nobody knows. */
export type Found<Call> = { readonly _tag: "Found"; readonly call: Call } | { readonly _tag: "NotFound" } | Unreachable

/** Nobody knows of a call. */
export interface Unreachable {
  readonly _tag: "Unreachable"
  readonly cause: string
}

/** What the answer to the question for one call says. */
export const found = <Call>(
  provider: string,
  exchange: Exchange,
  decode: (body: string) => Option.Option<Call>
): Found<Call> => {
  if (exchange._tag === "Answered" && exchange.status === 404) return { _tag: "NotFound" }
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
