import * as Outage from "@frontdesk/core/storage/Outage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { statusOf } from "../ErrorCode.ts"
import { type Problem, problemOf, unexpected } from "../ErrorTable.ts"
import type { HttpError } from "../HttpError.ts"
import { type Answer, type Exchange, problemAnswer } from "./Exchange.ts"

/**
 * Returns the answer to a request that failed, and adds the headers of the problem to the exchange.
 *
 * The answer does not reveal the cause of an internal error. The cause is logged under the request id.
 */
export const failureAnswer = (exchange: Exchange, cause: Cause.Cause<HttpError>): Effect.Effect<Answer> => {
  const error = Cause.findErrorOption(cause)
  const problem: Problem = Option.match(error, { onNone: () => unexpected, onSome: problemOf })
  Object.assign(exchange.headers, problem.headers)
  const answer = Effect.succeed(problemAnswer(problem))
  const status = statusOf(problem.code)
  // Requests that are refused under load are not logged, because the log lines would add to the load. Metrics count
  // them.
  if (status < 500 || Option.exists(error, ({ _tag }) => _tag === "Overloaded")) return answer
  const log =
    status === 500 ? Outage.log("Error", "request failed", cause) : Outage.log("Warn", "request refused", cause)
  return Effect.andThen(
    Effect.annotateLogs(log, { operation: exchange.operation, status, error: problem.code }),
    answer
  )
}
