import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeJson } from "../request/Exchange.ts"
import type { Answered, Refused } from "../request/StartAnswer.ts"

interface Meaning {
  readonly code: string
  readonly reason: string
}

const misconfigured = { code: "provider_misconfigured", reason: "the installation is not set up to make calls" }
const invalidNumber = { code: "invalid_number", reason: "the number cannot be called" }
const destination = { code: "destination_not_allowed", reason: "calls to this number are not allowed" }
const caller = { code: "caller_not_allowed", reason: "the agent's number may not make calls" }

/** The meanings of those errors of Twilio with which a start can fail (twilio.com/docs/api/errors). */
const meanings: Readonly<Record<number, Meaning>> = {
  10001: misconfigured,
  20003: misconfigured,
  20404: misconfigured,
  21200: misconfigured,
  21205: misconfigured,
  // The URL of the callbacks is not reachable from the internet.
  21609: misconfigured,
  21201: invalidNumber,
  21211: invalidNumber,
  21217: invalidNumber,
  21214: { code: "destination_unreachable", reason: "the number cannot be reached" },
  21215: destination,
  21216: destination,
  21219: destination,
  21210: caller,
  21212: caller
}

const decode = decodeJson(Schema.Struct({ code: Schema.optionalKey(Schema.NullOr(Schema.Int)) }))

/**
 * Returns the refusal for an answer with a status of 4xx. It omits Twilio's own message, which has the account and phone
 * numbers.
 */
export const refusalOf = ({ body, status }: Answered): Refused => {
  const code = Option.getOrNull(decode(body))?.code ?? null
  const source = code === null ? `Twilio: HTTP ${status}` : `Twilio: ${code}`
  if (status === 429 || code === 20429) {
    return { _tag: "Refused", code: "rate_limited", reason: `too many calls at once (${source})`, retryable: true }
  }
  const fallback =
    status === 401 || status === 403
      ? misconfigured
      : { code: "provider_error", reason: "the provider refused the call" }
  const meaning = (code === null ? undefined : meanings[code]) ?? fallback
  return { _tag: "Refused", code: meaning.code, reason: `${meaning.reason} (${source})`, retryable: false }
}
