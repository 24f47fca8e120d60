import { type Idempotency, IdempotencyKey } from "@frontdesk/core/idempotency/Idempotency"
import type { IdempotencyScope } from "@frontdesk/core/idempotency/IdempotencyStore"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { headersOfReplay } from "../ErrorTable.ts"
import type { HttpError } from "../Handlers.ts"
import { type Answer, type Exchange } from "./Exchange.ts"
import { failureAnswer } from "./FailureResponse.ts"
import { InvalidFields } from "./RequestError.ts"
import { storedForm } from "./StoredResponse.ts"

const isKey = Schema.is(IdempotencyKey)

/** The `Idempotency-Key` of a request, where there is one: 1 to 255 of `[A-Za-z0-9_.:-]` (D-IDEM-1). */
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
 * A request that fails before it has committed anything releases its key, so it can be sent again. One that is not
 * atomic may have reached the outside: it runs to its end also when the caller goes away, and once it is recorded as
 * executed, its answer is stored even if that is a failure. What is stored shows no secret.
 */
export const once = (
  exchange: Exchange,
  idempotency: Idempotency["Service"],
  { fingerprint, scope }: { readonly scope: IdempotencyScope; readonly fingerprint: string },
  { atomic, secrets }: { readonly atomic: boolean; readonly secrets: ReadonlyArray<string> },
  answer: Effect.Effect<Answer, HttpError>
): Effect.Effect<Answer, HttpError> => {
  const options = {
    atomic,
    failureAnswer: (cause: Cause.Cause<HttpError>) => failureAnswer(exchange, cause),
    storedForm: storedForm(secrets)
  }
  const run = Effect.map(idempotency.run(scope, fingerprint, options, answer), ({ answer, replayed }) => {
    if (replayed) Object.assign(exchange.headers, replayHeaders(answer))
    return answer
  })
  return atomic ? run : Effect.uninterruptible(run)
}
