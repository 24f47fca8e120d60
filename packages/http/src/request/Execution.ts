import { type Idempotency, IdempotencyKey } from "@frontdesk/core/idempotency/Idempotency"
import type { IdempotencyScope } from "@frontdesk/core/idempotency/IdempotencyStore"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { headersOfReplay } from "../ErrorTable.ts"
import type { HttpError } from "../Handlers.ts"
import { type Answer, type Exchange } from "./Exchange.ts"
import { failureAnswer } from "./Failure.ts"
import { InvalidFields } from "./RequestError.ts"

const isKey = Schema.is(IdempotencyKey)

/** The `Idempotency-Key` of a request, where there is one: 1 to 255 of `[A-Za-z0-9_.:-]` (Decisions 2). */
export const idempotencyKey = (sent: string | undefined): Result.Result<string | undefined, InvalidFields> =>
  sent === undefined || isKey(sent)
    ? Result.succeed(sent)
    : Result.fail(
        new InvalidFields({
          code: "invalid_parameter",
          problems: [
            { field: "Idempotency-Key", code: "invalid_value", message: "Expected 1 to 255 of A-Z a-z 0-9 _ . : -" }
          ]
        })
      )

// Only body and status are stored. When to try again is told by the code of the answer.
const replayHeaders = ({ body, status }: Answer) => ({
  ...(status === 429 || status === 503 ? headersOfReplay(body) : {}),
  "idempotent-replayed": "true"
})

/**
 * Executes a request once under its key, or gives the answer it got before with `Idempotent-Replayed: true`.
 *
 * What is atomic leaves nothing behind when it fails, so the key is given back and the request can be tried again. What
 * is not may have reached the outside: it runs to its end also when the caller goes away, and whatever came of it is
 * the answer that is kept.
 */
export const once = (
  exchange: Exchange,
  idempotency: Idempotency["Service"],
  { fingerprint, scope }: { readonly scope: IdempotencyScope; readonly fingerprint: string },
  atomic: boolean,
  answer: Effect.Effect<Answer, HttpError>
): Effect.Effect<Answer, HttpError> => {
  const execute = atomic ? answer : Effect.catchCause(answer, (cause) => failureAnswer(exchange, cause))
  const run = Effect.map(idempotency.run(scope, fingerprint, { atomic }, execute), ({ answer, replayed }) => {
    if (replayed) Object.assign(exchange.headers, replayHeaders(answer))
    return answer
  })
  return atomic ? run : Effect.uninterruptible(run)
}
