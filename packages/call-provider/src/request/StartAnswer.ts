import type { StartAnswer } from "@frontdesk/core/call/CallProvider"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Exchange } from "./Exchange.ts"

/** A complete answer with any status. */
export type Answered = Extract<Exchange, { readonly _tag: "Answered" }>

/** A start that the provider has refused. */
export type Refused = Extract<StartAnswer, { readonly _tag: "Refused" }>

/** How to read the answers of one provider. */
interface Provider {
  readonly name: string
  readonly refusalOf: (answered: Answered) => Refused
  /** Returns the id of the call from the body of an answer with a status of 2xx. */
  readonly idOf: (body: string) => Option.Option<string>
}

/**
 * Returns the result of a start from the answer of a provider. It logs a refusal that the settings have caused.
 *
 * - `Accepted`: 2xx with the id of the call.
 * - `Refused`: 4xx except 408. Also a request that was certainly not sent, which may be made again later.
 * - `Unknown`: everything else, because the provider may have dialled: no answer, an unreadable one, a redirect, 5xx, and
 *   408, with which a proxy reports that it has waited too long.
 */
export const startAnswer = Effect.fnUntraced(function* (exchange: Exchange, provider: Provider) {
  const answer = answerOf(exchange, provider)
  if (answer._tag === "Refused" && answer.code === "provider_misconfigured") {
    yield* Effect.logError(answer.reason).pipe(LogEvent.annotate("provider.misconfigured"))
  }
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
