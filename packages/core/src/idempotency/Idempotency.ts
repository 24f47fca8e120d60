import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { IdempotencyInProgress, IdempotencyKeyReuse } from "./IdempotencyError.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"
import type { IdempotencyScope, StoredAnswer } from "./IdempotencyStore.ts"

/** What an `Idempotency-Key` may be: 1 to 255 of `[A-Za-z0-9_.:-]` (Decisions 2). */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.:-]{1,255}$/))

/** How long an answer is kept (Decisions 2). */
export const keptFor: Duration.Duration = Duration.hours(24)

/** How long an atomic request may run; longer, and it fails and leaves nothing behind. */
export const runsAtMost: Duration.Duration = Duration.seconds(30)

// Longer than any atomic request runs, so that what is older belongs to a process that is gone.
const leftBehindAfter = Duration.minutes(1)

/** An answer, and whether it was given now or before. */
export interface IdempotentAnswer {
  readonly answer: StoredAnswer
  readonly replayed: boolean
}

/** Executes a request at most once for each key (Decisions 2). */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `execute` under a key, or gives the answer it gave before.
     *
     * With `atomic`, what it changes and its answer are committed together, so a key whose process died in between can
     * safely be taken over; one that takes longer than {@link runsAtMost} fails with an `unavailable` `StorageError`. If
     * that process only stood still, it finds its key taken and leaves nothing behind: `IdempotencyInProgress`.
     * Without, such a key stays taken until its time is over: what it did cannot be known.
     */
    readonly run: <E, R>(
      scope: IdempotencyScope,
      fingerprint: string,
      options: { readonly atomic: boolean },
      execute: Effect.Effect<StoredAnswer, E, R>
    ) => Effect.Effect<IdempotentAnswer, E | IdempotencyInProgress | IdempotencyKeyReuse | StorageError, R>
  }
>()("@frontdesk/core/idempotency/Idempotency") {
  /** The service on an `IdempotencyStore`. */
  static readonly layer: Layer.Layer<Idempotency, never, IdempotencyStore | Transaction> = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const transaction = yield* Transaction
      const box = yield* SecretBox

      const begin = Effect.fnUntraced(function* (scope: IdempotencyScope, fingerprint: string, atomic: boolean) {
        const now = yield* DateTime.now
        return yield* store.begin(scope, fingerprint, {
          now,
          expiresAt: DateTime.addDuration(now, keptFor),
          takeOverBefore: atomic ? DateTime.subtractDuration(now, leftBehindAfter) : null
        })
      })

      const complete = Effect.fnUntraced(function* (
        scope: IdempotencyScope,
        token: string,
        { body, status }: StoredAnswer
      ) {
        const sealed = yield* box.seal(Redacted.make(body), SecretContext.idempotentAnswer(scope))
        return yield* store.complete(scope, token, { status, body: Redacted.value(sealed) })
      })

      const opened = (scope: IdempotencyScope, { body, status }: StoredAnswer) =>
        box.open(Redacted.make(body), SecretContext.idempotentAnswer(scope)).pipe(
          Effect.map((text): StoredAnswer => ({ status, body: Redacted.value(text) })),
          Effect.mapError((cause) => new StorageError({ reason: "corrupt", operation: "Idempotency.run", cause }))
        )

      const execution = <E, R>(
        scope: IdempotencyScope,
        token: string,
        atomic: boolean,
        execute: Effect.Effect<StoredAnswer, E, R>,
        restore: <A, E1, R1>(effect: Effect.Effect<A, E1, R1>) => Effect.Effect<A, E1, R1>
      ): Effect.Effect<StoredAnswer, E | IdempotencyInProgress | StorageError, R> => {
        if (!atomic) return restore(Effect.tap(execute, (answer) => complete(scope, token, answer)))
        const answered = Effect.gen(function* () {
          const answer = yield* execute
          if (yield* complete(scope, token, answer)) return answer
          // Another executes it, or has done so: what was done here is undone with the transaction.
          return yield* new IdempotencyInProgress({ key: scope.key })
        })
        const committed = transaction.run(answered)
        return restore(Effect.timeoutOrElse(committed, { duration: runsAtMost, orElse: tooLong })).pipe(
          Effect.onError(() => Effect.ignore(store.release(scope, token)))
        )
      }

      return Idempotency.of({
        // A caller that goes away while the key is taken would otherwise leave it taken.
        run: (scope, fingerprint, { atomic }, execute) =>
          Effect.uninterruptibleMask(
            Effect.fnUntraced(function* (restore) {
              const state = yield* begin(scope, fingerprint, atomic)
              switch (state._tag) {
                case "Started":
                  return { answer: yield* execution(scope, state.token, atomic, execute, restore), replayed: false }
                case "Answered":
                  return { answer: yield* opened(scope, state.answer), replayed: true }
                case "Running":
                  return yield* new IdempotencyInProgress({ key: scope.key })
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
