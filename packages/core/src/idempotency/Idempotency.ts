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

/** What an `Idempotency-Key` may be: 1 to 255 of `[A-Za-z0-9_.:-]` (D-IDEM-1). */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.:-]{1,255}$/))

/** How long an answer is kept (D-IDEM-3). */
export const answerRetention: Duration.Duration = Duration.hours(24)

/** How long an atomic request may run; longer, and it fails and leaves nothing behind. */
export const atomicTimeout: Duration.Duration = Duration.seconds(30)

// Longer than any atomic request runs, so that what is older belongs to a process that is gone. A request that is not
// atomic may still run: it finds its key taken over when it records its execution.
const takeOverAfter = Duration.minutes(1)

/** An answer, and whether it was given now or before. */
export interface IdempotentAnswer {
  readonly answer: StoredAnswer
  readonly replayed: boolean
}

/** How a request is executed under a key. */
export interface ExecutionOptions<E> {
  /** Whether what the request changes and its answer are committed together. */
  readonly atomic: boolean
  /** The answer to store for a request that failed after it was recorded as executed. Without it the key stays taken. */
  readonly failureAnswer?: (cause: Cause.Cause<E>) => Effect.Effect<StoredAnswer>
  /**
   * Returns what of an answer is stored for replays: without secrets, and not too large. The whole answer when absent.
   * `isReduced` asks for the shortest form, because the account has stored many large answers.
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
  run: [{ scope: Scope }, { fingerprint: Text.between(1, 255) }, { options: Options }, { execute: Execute }]
}

/** Executes a request at most once for each key (D-IDEM-3). */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `execute` under a key, or gives the answer it gave before.
     *
     * With `atomic`, what it changes and its answer are committed together, so a key whose process died in between can
     * safely be taken over; one that takes longer than {@link atomicTimeout} fails with an `unavailable` `StorageError`. If
     * that process only stood still, it finds its key taken and leaves nothing behind: `IdempotencyInProgress`.
     *
     * Without, the request commits by itself and records that in the same transaction ({@link CurrentExecution}). A
     * request that fails before that releases its key, and the key of a process that dies before that can be taken over.
     * After that the answer is stored, also when it is a failure. When the process dies before it has stored the answer,
     * repeats are told to wait for a minute, and from then on get the answer that was recorded with the execution, or
     * fail with `IdempotencyAnswerLost` where none was.
     */
    readonly run: <E, R>(
      scope: IdempotencyScope,
      fingerprint: string,
      options: ExecutionOptions<E>,
      execute: Effect.Effect<StoredAnswer, E, R>
    ) => Effect.Effect<
      IdempotentAnswer,
      E | IdempotencyInProgress | IdempotencyAnswerLost | IdempotencyKeyReuse | ValidationError | StorageError,
      R
    >
  }
>()("@frontdesk/core/idempotency/Idempotency") {
  /** The service on an `IdempotencyStore`. */
  static readonly layer: Layer.Layer<Idempotency, never, IdempotencyStore | Transaction> = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const transaction = yield* Transaction
      const box = yield* SecretBox
      const reserveBytes = AnswerQuota.make()

      const begin = Effect.fnUntraced(function* (scope: IdempotencyScope, fingerprint: string) {
        const now = yield* DateTime.now
        return yield* store.begin(scope, fingerprint, {
          now,
          expiresAt: Timestamp.after(now, answerRetention),
          takeOverBefore: Timestamp.before(now, takeOverAfter)
        })
      })

      /** The answer as it is stored. */
      const sealed = Effect.fnUntraced(function* (
        scope: IdempotencyScope,
        { storedForm = (answer) => answer }: Pick<ExecutionOptions<unknown>, "storedForm">,
        answer: StoredAnswer
      ) {
        const whole = storedForm(answer, false)
        const hasRoom = yield* reserveBytes(scope.accountId, whole.body.length)
        const { body, status } = hasRoom ? whole : storedForm(answer, true)
        const text = yield* box.seal(Redacted.make(body), SecretContext.idempotentAnswer(scope))
        return { status, body: Redacted.value(text) }
      })

      const complete = (
        scope: IdempotencyScope,
        token: string,
        options: Pick<ExecutionOptions<unknown>, "storedForm">,
        answer: StoredAnswer
      ) => Effect.flatMap(sealed(scope, options, answer), (stored) => store.complete(scope, token, stored))

      const opened = (scope: IdempotencyScope, { body, status }: StoredAnswer) =>
        box.open(Redacted.make(body), SecretContext.idempotentAnswer(scope)).pipe(
          Effect.map((text): StoredAnswer => ({ status, body: Redacted.value(text) })),
          Effect.mapError((cause) => new StorageError({ reason: "corrupt", operation: "Idempotency.run", cause }))
        )

      const recorded = Effect.fnUntraced(function* <E, R>(
        scope: IdempotencyScope,
        token: string,
        options: ExecutionOptions<E>,
        execute: Effect.Effect<StoredAnswer, E, R>
      ) {
        const record = Effect.fnUntraced(function* (answer: StoredAnswer | null) {
          const stored = answer === null ? null : yield* sealed(scope, options, answer)
          if (!(yield* store.markExecuted(scope, token, stored))) {
            return yield* new IdempotencyInProgress({ key: scope.key })
          }
        })
        const exit = yield* Effect.exit(Effect.provideService(execute, CurrentExecution, { record }))
        if (Exit.isSuccess(exit)) {
          yield* complete(scope, token, options, exit.value)
          return exit.value
        }
        // The storage knows whether the execution was committed; the request may not, when the answer to its commit was
        // lost. A key that cannot be released now is taken over later, unless it was executed.
        const isReleased = yield* Effect.orElseSucceed(store.release(scope, token), () => true)
        const { failureAnswer } = options
        if (isReleased || failureAnswer === undefined || Cause.hasInterrupts(exit.cause)) return yield* exit
        const answer = yield* failureAnswer(exit.cause)
        return (yield* complete(scope, token, options, answer)) ? answer : yield* exit
      })

      const execution = <E, R>(
        scope: IdempotencyScope,
        token: string,
        options: ExecutionOptions<E>,
        execute: Effect.Effect<StoredAnswer, E, R>,
        restore: <A, E1, R1>(effect: Effect.Effect<A, E1, R1>) => Effect.Effect<A, E1, R1>
      ): Effect.Effect<StoredAnswer, E | IdempotencyInProgress | StorageError, R> => {
        if (!options.atomic) return recorded(scope, token, options, restore(execute))
        const answered = Effect.gen(function* () {
          const answer = yield* execute
          if (yield* complete(scope, token, options, answer)) return answer
          // Another executes it, or has done so: what was done here is undone with the transaction.
          return yield* new IdempotencyInProgress({ key: scope.key })
        })
        const committed = transaction.run(answered)
        return restore(Effect.timeoutOrElse(committed, { duration: atomicTimeout, orElse: tooLong })).pipe(
          Effect.onError(() => Effect.ignore(store.release(scope, token)))
        )
      }

      return Input.service(Idempotency, inputs, {
        // A caller that goes away while the key is taken would otherwise leave it taken.
        run: (scope, fingerprint, options, execute) =>
          Effect.uninterruptibleMask(
            Effect.fnUntraced(function* (restore) {
              const state = yield* begin(scope, fingerprint)
              switch (state._tag) {
                case "Started":
                  return { answer: yield* execution(scope, state.token, options, execute, restore), replayed: false }
                case "Answered":
                  return { answer: yield* opened(scope, state.answer), replayed: true }
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
  Effect.fail(new StorageError({ reason: "unavailable", operation: "Idempotency.run", cause: "took too long" }))
