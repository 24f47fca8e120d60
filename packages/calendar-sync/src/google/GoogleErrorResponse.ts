import type { CalendarSyncError, CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Answer } from "../request/Exchange.ts"
import { isAccepted, reasonOf, refusal } from "../request/ErrorResponse.ts"

const Body = Schema.fromJsonString(
  Schema.Struct({ error: Schema.Struct({ errors: Schema.Array(Schema.Struct({ reason: Schema.String })) }) })
)

const read = Schema.decodeUnknownOption(Body)

const rateLimits: ReadonlySet<string> = new Set([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "dailyLimitExceeded"
])

/** Faults of the operator's project at Google. They affect every account until the operator repairs them. */
const projectFaults: ReadonlySet<string> = new Set(["accessNotConfigured"])

/** Returns the reason of the error for an answer. Google also answers 403 when there are too many requests. */
const reasonIn = ({ body, status }: Answer): CalendarSyncReason => {
  const reasons = Option.match(read(body), { onNone: () => [], onSome: ({ error }) => error.errors })
  if (status === 403 && reasons.some(({ reason }) => rateLimits.has(reason))) return "rate_limited"
  if (status === 403 && reasons.some(({ reason }) => projectFaults.has(reason))) return "transport"
  return reasonOf(status)
}

/** Returns an answer with a status of 2xx. Fails with the error for any other (Calendar API, "Handle API errors"). */
export const accepted = (answer: Answer): Effect.Effect<Answer, CalendarSyncError> =>
  isAccepted(answer) ? Effect.succeed(answer) : refusal(answer, reasonIn(answer))
