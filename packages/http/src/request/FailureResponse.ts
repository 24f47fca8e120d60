import * as Outage from "@frontdesk/core/storage/Outage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { statusOf } from "../ErrorCode.ts"
import { type Problem, problemOf, unexpected } from "../ErrorTable.ts"
import type { HttpError } from "../Handlers.ts"
import { type Answer, type Exchange, problemAnswer } from "./Exchange.ts"

/**
 * The answer to a request that failed.
 *
 * Of what went wrong on our side the answer says nothing; the log has the cause, beside the request id.
 */
export const failureAnswer = (exchange: Exchange, cause: Cause.Cause<HttpError>): Effect.Effect<Answer> => {
  const error = Cause.findErrorOption(cause)
  const problem: Problem = Option.match(error, { onNone: () => unexpected, onSome: problemOf })
  Object.assign(exchange.headers, problem.headers)
  const answer = Effect.succeed(problemAnswer(problem))
  const status = statusOf(problem.code)
  // A line for each request that is refused under load would itself be load; the metrics count them.
  if (status < 500 || Option.exists(error, ({ _tag }) => _tag === "Overloaded")) return answer
  const log =
    status === 500 ? Outage.log("Error", "request failed", cause) : Outage.log("Warn", "request refused", cause)
  return Effect.andThen(
    Effect.annotateLogs(log, { operation: exchange.operation, status, error: problem.code }),
    answer
  )
}
