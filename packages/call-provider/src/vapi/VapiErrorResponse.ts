import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeJson } from "../request/Exchange.ts"
import type { Answered, Refused } from "../request/StartAnswer.ts"

const decode = decodeJson(Schema.Struct({ message: Schema.Union([Schema.String, Schema.Array(Schema.String)]) }))

/** The meanings of refusals, by their text, because Vapi has no error codes. The first match counts. */
const meanings = [
  [/\bconcurren/i, "rate_limited", "too many calls at once", true],
  [
    /\b(?:rate|limits?|limited|wallet|balance|credits?)\b/i,
    "provider_limit_reached",
    "the organization has no calls left for now",
    false
  ],
  [/\bcustomer\.?\d*\.number\b|\bE\.?164\b/i, "invalid_number", "the number cannot be called", false],
  [/\bassistant(?:Id|Overrides)?\b/i, "assistant_refused", "the agent's assistant cannot make the call", false],
  [/\bphone ?number(?:Id)?\b/i, "caller_not_allowed", "the agent's number may not make calls", false]
] as const

/** Returns the refusal for an answer with a status of 4xx. It omits Vapi's own message, which may quote the request. */
export const refusalOf = ({ body, status }: Answered): Refused => {
  const refused = (code: string, reason: string, retryable: boolean): Refused => ({
    _tag: "Refused",
    code,
    reason: `${reason} (Vapi: HTTP ${status})`,
    retryable
  })
  if (status === 429) return refused("rate_limited", "too many calls at once", true)
  if (status === 401 || status === 402 || status === 403) {
    return refused("provider_misconfigured", "the installation is not set up to make calls", false)
  }
  const text = Option.match(decode(body), { onNone: () => "", onSome: ({ message }) => [message].flat().join("\n") })
  const [, code, reason, isRetryable] = meanings.find(([pattern]) => pattern.test(text)) ?? []
  return refused(code ?? "provider_error", reason ?? "the provider refused the call", isRetryable ?? false)
}
