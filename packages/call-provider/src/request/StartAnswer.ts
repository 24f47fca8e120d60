import type { StartAnswer } from "@frontdesk/core/call/CallProvider"
import * as Option from "effect/Option"
import type { Exchange } from "./Exchange.ts"

/** An answer that came, whatever its status. */
export type Answered = Extract<Exchange, { readonly _tag: "Answered" }>

/** A start that was refused. */
export type Refused = Extract<StartAnswer, { readonly _tag: "Refused" }>

/**
 * What became of a start.
 *
 * A request that was surely not sent may be made again later. An answer of 4xx is the provider's no. All else leaves it
 * unknown whether somebody is called: no answer, one that cannot be read, a redirect, 5xx, and 408, which a proxy says that
 * has waited in vain.
 */
export const startAnswer = (
  exchange: Exchange,
  provider: {
    readonly name: string
    readonly refusalOf: (answered: Answered) => Refused
    /** The id of the call in the body of an answer that says yes. */
    readonly idOf: (body: string) => Option.Option<string>
  }
): StartAnswer => {
  if (exchange._tag === "Unsent") {
    return { _tag: "Refused", code: "provider_unreachable", reason: exchange.cause, retryable: true }
  }
  if (exchange._tag === "Lost") return { _tag: "Unknown", cause: exchange.cause }
  const { body, status } = exchange
  if (status >= 400 && status < 500 && status !== 408) return provider.refusalOf(exchange)
  const id = status >= 200 && status < 300 ? provider.idOf(body) : Option.none()
  return Option.match(id, {
    onNone: () => ({ _tag: "Unknown", cause: `${provider.name} answered ${status}` }),
    onSome: (providerCallId) => ({ _tag: "Accepted", providerCallId })
  })
}
