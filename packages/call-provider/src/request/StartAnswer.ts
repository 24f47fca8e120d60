import type { StartAnswer } from "@frontdesk/core/call/CallProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Exchange } from "./Exchange.ts"

/** An answer that came, whatever its status. */
export type Answered = Extract<Exchange, { readonly _tag: "Answered" }>

/** A start that was refused. */
export type Refused = Extract<StartAnswer, { readonly _tag: "Refused" }>

/** What tells the answers of one provider from those of another. */
interface Provider {
  readonly name: string
  readonly refusalOf: (answered: Answered) => Refused
  /** The id of the call in the body of an answer that says yes. */
  readonly idOf: (body: string) => Option.Option<string>
}

/**
 * What became of a start; a refusal for which the settings are to blame is logged.
 *
 * A request that was surely not sent may be made again later. An answer of 4xx is the provider's no. All else leaves it
 * unknown whether somebody is called: no answer, one that cannot be read, a redirect, 5xx, and 408, which a proxy says
 * that has waited in vain.
 */
export const startAnswer = Effect.fnUntraced(function* (exchange: Exchange, provider: Provider) {
  const answer = answerOf(exchange, provider)
  if (answer._tag === "Refused" && answer.code === "provider_misconfigured") yield* Effect.logError(answer.reason)
  return answer
})

const answerOf = (exchange: Exchange, provider: Provider): StartAnswer => {
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
