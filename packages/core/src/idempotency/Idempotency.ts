import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Timestamp from "../values/Timestamp.ts"
import { AccountId } from "../access/Account.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as AnswerQuota from "./AnswerQuota.ts"
import { CurrentExecution } from "./CurrentExecution.ts"
import { IdempotencyAnswerLost, IdempotencyInProgress, IdempotencyKeyReuse } from "./IdempotencyError.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"
import * as Text from "../values/Text.ts"
import * as Input from "../values/Input.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import type { IdempotencyScope, StoredAnswer } from "./IdempotencyStore.ts"

/** An `Idempotency-Key`: 1 to 255 characters of `[A-Za-z0-9_.:-]` (D-IDEM-1). */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.:-]{1,255}$/u))

/** How long an answer is stored for replays (D-IDEM-3). */
export const answerRetention: Duration.Duration = Duration.hours(24)

/** The timeout of an atomic request (D-IDEM-9). A request that exceeds it fails and changes nothing. */
export const atomicTimeout: Duration.Duration = Duration.seconds(30)

// Longer than `atomicTimeout`, so that the process of an older claim must have died. A request that is not atomic may still
// run. When its key has been claimed by another request, recording its execution fails (D-IDEM-10).
const takeOverAfter = Duration.minutes(1)

/** The answer to a request with an idempotency key. */
export interface IdempotentAnswer {
  readonly answer: StoredAnswer
  /** Whether this is a replay, the stored answer of an earlier request. */
  readonly replayed: boolean
}

/** How a request is executed under an idempotency key. */
export interface ExecutionOptions<E> {
  /** Whether the request's changes and its answer are committed in one transaction. */
  readonly atomic: boolean
  /**
   * Returns the answer that is stored when a request fails after it was recorded as executed. When absent, none is stored.
   */
  readonly failureAnswer?: (cause: Cause.Cause<E>) => Effect.Effect<StoredAnswer>
  /**
   * Returns the form of an answer to store for replays, without secrets and not too large. When absent, the whole answer is
   * stored. `isReduced` requires the shortest form, because the account's quota for large answers is used up (D-IDEM-14).
   */
  readonly storedForm?: (answer: StoredAnswer, isReduced: boolean) => StoredAnswer
}

const Scope = Schema.Struct({
  accountId: AccountId,
  method: Text.between(1, 10),
  path: Text.between(1, 2_048),
  key: IdempotencyKey
})

const Execute = Schema.declare(
  (value: unknown): value is Effect.Effect<StoredAnswer, never> => Effect.isEffect(value),
  {
    expected: "an Effect"
  }
)

const FailureAnswer = Schema.declare(
  (value: unknown): value is NonNullable<ExecutionOptions<unknown>["failureAnswer"]> => typeof value === "function",
  { expected: "a function" }
)

const StoredForm = Schema.declare(
  (value: unknown): value is NonNullable<ExecutionOptions<unknown>["storedForm"]> => typeof value === "function",
  { expected: "a function" }
)

const Options = Schema.Struct({
  atomic: Schema.Boolean,
  failureAnswer: Schema.optionalKey(FailureAnswer),
  storedForm: Schema.optionalKey(StoredForm)
})

const inputs: Input.Inputs<Idempotency["Service"]> = {
  run: [{ scope: Scope }, { bodyDigest: Text.between(1, 255) }, { options: Options }, { execute: Execute }]
}

/** Executes a request at most once for each key (D-IDEM-3). */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Executes a request under a key, or returns the stored answer of the first request with the key.
     *
     * Fails with `IdempotencyInProgress` while the first request has no answer, and with `IdempotencyKeyReuse` when it had
     * another body. An error of the request itself releases the key.
     *
     * **Atomic:** the changes of `execute` and its answer are committed in one transaction (D-IDEM-5). A request that
     * exceeds {@link atomicTimeout} fails with an `unavailable` `StorageError`. When the process dies, nothing is
     * committed, and the key can be claimed again after a minute. A process that was only paused finds its key claimed by
     * another request. Its changes are then rolled back, and it fails with `IdempotencyInProgress`.
     *
     * **Not atomic:** `execute` commits by itself, and records the execution in the same transaction
     * ({@link CurrentExecution}). Before that, an error releases the key, and the key of a process that died can be claimed
     * again after a minute. After that, the answer is stored even when it is an error, if `failureAnswer` is given.
     * When the process dies before it stores the answer, repeats fail with `IdempotencyInProgress` for a minute. Then
     * they return the answer that was recorded with the execution, or fail with `IdempotencyAnswerLost` when none was.
     *
     * @param bodyDigest a digest of the request's body, which tells a repeat from another request; 1 to 255 characters
     */
    readonly run: <E, R>(
      scope: IdempotencyScope,
      bodyDigest: string,
      options: ExecutionOptions<E>,
      execute: Effect.Effect<StoredAnswer, E, R>
    ) => Effect.Effect<
      IdempotentAnswer,
      E | IdempotencyInProgress | IdempotencyAnswerLost | IdempotencyKeyReuse | ValidationError | StorageError,
      R
    >
  }
>()("@frontdesk/core/idempotency/Idempotency") {
  /** The service over an `IdempotencyStore`. */
  static readonly layer: Layer.Layer<Idempotency, never, IdempotencyStore | Transaction> = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const transaction = yield* Transaction
      const box = yield* SecretBox
      const takeFromQuota = AnswerQuota.make()

      const begin = Effect.fnUntraced(function* (scope: IdempotencyScope, bodyDigest: string) {
        const now = yield* DateTime.now
        return yield* store.begin(scope, bodyDigest, {
          now,
          expiresAt: Timestamp.after(now, answerRetention),
          takeOverBefore: Timestamp.before(now, takeOverAfter)
        })
      })

      /** Returns the answer in the form in which it is stored. */
      const seal = Effect.fnUntraced(function* (
        scope: IdempotencyScope,
        { storedForm = (answer) => answer }: Pick<ExecutionOptions<unknown>, "storedForm">,
        answer: StoredAnswer
      ) {
        const usual = storedForm(answer, false)
        const isWithinQuota = yield* takeFromQuota(scope.accountId, usual.body.length)
        const { body, status } = isWithinQuota ? usual : storedForm(answer, true)
        const text = yield* box.seal(Redacted.make(body), SecretContext.idempotentAnswer(scope))
        return { status, body: Redacted.value(text) }
      })

      const complete = (
        scope: IdempotencyScope,
        token: string,
        options: Pick<ExecutionOptions<unknown>, "storedForm">,
        answer: StoredAnswer
      ) => Effect.flatMap(seal(scope, options, answer), (stored) => store.complete(scope, token, stored))

      const open = (scope: IdempotencyScope, { body, status }: StoredAnswer) =>
        box.open(Redacted.make(body), SecretContext.idempotentAnswer(scope)).pipe(
          Effect.map((text): StoredAnswer => ({ status, body: Redacted.value(text) })),
          Effect.mapError((cause) => new StorageError({ reason: "corrupt", operation: "Idempotency.run", cause }))
        )

      const executeRecorded = Effect.fnUntraced(function* <E, R>(
        scope: IdempotencyScope,
        token: string,
        options: ExecutionOptions<E>,
        execute: Effect.Effect<StoredAnswer, E, R>
      ) {
        const record = Effect.fnUntraced(function* (answer: StoredAnswer | null) {
          const stored = answer === null ? null : yield* seal(scope, options, answer)
          if (!(yield* store.markExecuted(scope, token, stored))) {
            return yield* new IdempotencyInProgress({ key: scope.key })
          }
        })
        const exit = yield* Effect.exit(Effect.provideService(execute, CurrentExecution, { record }))
        if (Exit.isSuccess(exit)) {
          yield* complete(scope, token, options, exit.value)
          return exit.value
        }
        // When the answer to its commit was lost, the request does not know whether it was committed. The storage does: it
        // releases the key only when the execution was not recorded. When the storage fails, the key is claimed again after
        // a minute, unless it was executed.
        const isReleased = yield* Effect.orElseSucceed(store.release(scope, token), () => true)
        const { failureAnswer } = options
        if (isReleased || failureAnswer === undefined || Cause.hasInterrupts(exit.cause)) return yield* exit
        const answer = yield* failureAnswer(exit.cause)
        return (yield* complete(scope, token, options, answer)) ? answer : yield* exit
      })

      /** Stores the answer, and returns it. */
      const completed = Effect.fnUntraced(function* (
        scope: IdempotencyScope,
        token: string,
        options: Pick<ExecutionOptions<never>, "storedForm">,
        answer: StoredAnswer
      ) {
        if (yield* complete(scope, token, options, answer)) return answer
        // Another request has claimed the key, so this error rolls back the changes of this one (D-IDEM-10).
        return yield* new IdempotencyInProgress({ key: scope.key })
      })

      const executeClaimed = <E, R>(
        scope: IdempotencyScope,
        token: string,
        options: ExecutionOptions<E>,
        execute: Effect.Effect<StoredAnswer, E, R>,
        restore: <A, E1, R1>(effect: Effect.Effect<A, E1, R1>) => Effect.Effect<A, E1, R1>
      ): Effect.Effect<StoredAnswer, E | IdempotencyInProgress | StorageError, R> => {
        if (!options.atomic) return executeRecorded(scope, token, options, restore(execute))
        const answered = Effect.flatMap(execute, (answer) => completed(scope, token, options, answer))
        const committed = transaction.run(answered)
        return restore(Effect.timeoutOrElse(committed, { duration: atomicTimeout, orElse: tooLong })).pipe(
          Effect.onError(() => Effect.ignore(store.release(scope, token)))
        )
      }

      return Input.service(Idempotency, inputs, {
        // A caller that disconnects interrupts the request. Without the mask its key would stay claimed.
        run: (scope, bodyDigest, options, execute) =>
          Effect.uninterruptibleMask(
            Effect.fnUntraced(function* (restore) {
              const state = yield* begin(scope, bodyDigest)
              switch (state._tag) {
                case "Started":
                  return {
                    answer: yield* executeClaimed(scope, state.token, options, execute, restore),
                    replayed: false
                  }
                case "Answered":
                  return { answer: yield* open(scope, state.answer), replayed: true }
                case "Running":
                  return yield* new IdempotencyInProgress({ key: scope.key })
                case "Executed":
                  return yield* new IdempotencyAnswerLost({ key: scope.key })
                case "Reused":
                  return yield* new IdempotencyKeyReuse({ key: scope.key })
              }
            })
          )
      })
    })
  )
}

const tooLong = () =>
  Effect.fail(new StorageError({ reason: "unavailable", operation: "Idempotency.run", cause: "the request timed out" }))
