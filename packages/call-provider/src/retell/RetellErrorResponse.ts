import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeJson } from "../request/Exchange.ts"
import type { Answered, Refused } from "../request/StartAnswer.ts"

const decode = decodeJson(Schema.Struct({ message: Schema.String }))

/** Returns the text of an error of Retell, or an empty text when the body is something else. */
export const messageOf = (body: string): string =>
  Option.match(decode(body), { onNone: () => "", onSome: ({ message }) => message })

/** The meanings of refusals, by their text, because Retell has no error codes. The first match counts. */
const meanings = [
  [/concurren/i, "rate_limited", "too many calls at once", true],
  [/\bfrom[ _]?number\b|\bfrom phone-number\b/i, "caller_not_allowed", "the agent's number may not make calls", false],
  [/\b(destination|countr|geo)/i, "destination_not_allowed", "calls to this destination are not allowed", false],
  [/\bto[ _]?number\b|\bE\.?164\b/i, "invalid_number", "the number cannot be called", false],
  [/\bagent/i, "assistant_refused", "the agent's assistant cannot make the call", false]
] as const

/** Returns the refusal for an answer with a status of 4xx. It omits Retell's own message, which may quote the request. */
export const refusalOf = ({ body, status }: Answered): Refused => {
  const refused = (code: string, reason: string, retryable: boolean): Refused => ({
    _tag: "Refused",
    code,
    reason: `${reason} (Retell: HTTP ${status})`,
    retryable
  })
  if (status === 429) return refused("rate_limited", "too many calls at once", true)
  // 402: the workspace has no valid payment method.
  if (status === 401 || status === 402 || status === 403) {
    return refused("provider_misconfigured", "the installation is not set up to make calls", false)
  }
  const [, code, reason, isRetryable] = meanings.find(([pattern]) => pattern.test(messageOf(body))) ?? []
  return refused(code ?? "provider_error", reason ?? "the provider refused the call", isRetryable ?? false)
}
