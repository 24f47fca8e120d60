import { type Idempotency, IdempotencyKey } from "@frontdesk/core/idempotency/Idempotency"
import type { IdempotencyScope } from "@frontdesk/core/idempotency/IdempotencyStore"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { headersOfReplay } from "../ErrorTable.ts"
import type { HttpError } from "../HttpError.ts"
import { type Answer, type Exchange } from "./Exchange.ts"
import { failureAnswer } from "./FailureResponse.ts"
import { InvalidFields } from "./RequestError.ts"
import { storedForm } from "./StoredResponse.ts"

const isKey = Schema.is(IdempotencyKey)

/**
 * Returns the `Idempotency-Key` of a request, or `undefined` when it has none. Fails with `InvalidFields` when the
 * header is not 1 to 255 characters of `[A-Za-z0-9_.:-]` (D-IDEM-1).
 */
export const idempotencyKey = (sent: string | undefined): Result.Result<string | undefined, InvalidFields> =>
  sent === undefined || isKey(sent)
    ? Result.succeed(sent)
    : Result.fail(
        new InvalidFields({
          code: "invalid_parameter",
          problems: [
            {
              field: "Idempotency-Key",
              code: "invalid_value",
              message: "Expected 1 to 255 characters, each a letter A-Z or a-z, a digit, or one of _ . : -"
            }
          ]
        })
      )

// Only the body and the status are stored. The error code in the body decides the `Retry-After` header.
const replayHeaders = ({ body, status }: Answer) => ({
  ...(status === 429 || status === 503 ? headersOfReplay(body) : {}),
  "idempotent-replayed": "true"
})

/**
 * Executes a request once under its idempotency key. A repeat returns the stored answer with `Idempotent-Replayed:
 * true`.
 *
 * A request that fails before it has committed anything releases its key, so that it can be sent again. A request that
 * is not atomic may have reached an external system. It therefore runs to its end when the client disconnects, and
 * after it is recorded as executed, its answer is stored even when it is a failure. A stored answer contains no secret.
 */
export const once = (
  exchange: Exchange,
  idempotency: Idempotency["Service"],
  { requestHash, scope }: { readonly scope: IdempotencyScope; readonly requestHash: string },
  { atomic, secrets }: { readonly atomic: boolean; readonly secrets: ReadonlyArray<string> },
  answer: Effect.Effect<Answer, HttpError>
): Effect.Effect<Answer, HttpError> => {
  const options = {
    atomic,
    failureAnswer: (cause: Cause.Cause<HttpError>) => failureAnswer(exchange, cause),
    storedForm: storedForm(secrets)
  }
  const run = Effect.map(idempotency.run(scope, requestHash, options, answer), ({ answer, replayed }) => {
    if (replayed) Object.assign(exchange.headers, replayHeaders(answer))
    return answer
  })
  return atomic ? run : Effect.uninterruptible(run)
}
