import { type IdempotencyScope, IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies an `IdempotencyStore`. */
export const idempotencyStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: IdempotencyStore`, (it) => {
    it.effect("begin returns Started for a new key, Running until complete, and then always the stored answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope)
        expect(yield* begin(scope)).toEqual({ _tag: "Running" })
        const answer = {
          status: 201,
          body: StoredText.make(`{"name":"Zoë 日本 \u2028","text":"${"x".repeat(50_000)}"}`)
        }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* begin(scope)).toEqual({ _tag: "Answered", answer })
        expect(yield* begin(scope)).toEqual({ _tag: "Answered", answer })
      })
    )

    it.effect("begin returns Reused for a key with another body, before and after its answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope)
        expect(yield* begin(scope, { digest: "other" })).toEqual({ _tag: "Reused" })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })
        expect(yield* begin(scope, { digest: "other" })).toEqual({ _tag: "Reused" })
      })
    )

    it.effect("the same key starts separately for another account, method, path or spelling", () =>
      Effect.gen(function* () {
        const scope = yield* newScope
        const elsewhere = yield* newScope
        yield* begin(scope)
        for (const other of [
          { ...scope, accountId: elsewhere.accountId },
          { ...scope, method: "DELETE" },
          { ...scope, path: "/api/v1/contacts/create" },
          { ...scope, key: `${scope.key}.` },
          { ...scope, key: scope.key.toUpperCase() }
        ]) {
          expect(yield* begin(other)).toMatchObject({ _tag: "Started" })
        }
      })
    )

    it.effect("exactly one of several concurrent begins of a key returns Started", () =>
      Effect.gen(function* () {
        const scope = yield* newScope
        const states = yield* Effect.all(
          Array.from({ length: 12 }, () => begin(scope)),
          { concurrency: "unbounded" }
        )
        const tags = states.map((state) => state._tag).toSorted()
        expect(tags).toEqual([...Array.from({ length: 11 }, () => "Running"), "Started"])
      })
    )

    it.effect("release makes a key new again, but not one that has an answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        yield* keys.release(scope, yield* start(scope))
        const token = yield* start(scope, { digest: "other" })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("stored") })
        yield* keys.release(scope, token)
        expect((yield* begin(scope, { digest: "other" }))._tag).toBe("Answered")
      })
    )

    it.effect("begin returns Started for a key that has expired, with any body", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope, { now: 0, expiresAt: 10 })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("old") })
        const times = { now: Samples.justBefore(10), expiresAt: Samples.later(19), takeOverBefore: null }
        expect((yield* keys.begin(scope, "body", times))._tag).toBe("Answered")
        expect(yield* begin(scope, { now: 10, expiresAt: 20, digest: "other" })).toMatchObject({ _tag: "Started" })
        expect(yield* begin(scope, { now: 11, expiresAt: 21, digest: "other" })).toEqual({ _tag: "Running" })
      })
    )

    it.effect(
      "begin takes over a key that began before takeOverBefore and has no answer, only with the same body",
      () =>
        Effect.gen(function* () {
          const keys = yield* IdempotencyStore
          const scope = yield* newScope
          yield* begin(scope, { now: 5 })
          expect((yield* begin(scope, { now: 9, takeOverBefore: 5 }))._tag).toBe("Running")
          expect((yield* begin(scope, { now: 9, takeOverBefore: 6, digest: "other" }))._tag).toBe("Reused")
          const token = yield* start(scope, { now: 9, takeOverBefore: 6 })
          expect((yield* begin(scope, { now: 9, takeOverBefore: 6 }))._tag).toBe("Running")
          yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })
          expect((yield* begin(scope, { now: 99, takeOverBefore: 98 }))._tag).toBe("Answered")
        })
    )

    it.effect(
      "complete, markExecuted and release return false for the token of an execution that was taken over or has expired",
      () =>
        Effect.gen(function* () {
          const keys = yield* IdempotencyStore
          const scope = yield* newScope
          const late = yield* start(scope, { now: 0 })
          const token = yield* start(scope, { now: 9, takeOverBefore: 6 })
          expect(token).not.toBe(late)
          expect(yield* keys.complete(scope, late, { status: 200, body: StoredText.make("late") })).toBe(false)
          expect(yield* keys.markExecuted(scope, late, null)).toBe(false)
          expect(yield* keys.release(scope, late)).toBe(false)
          expect((yield* begin(scope, { now: 9 }))._tag).toBe("Running")
          const answer = { status: 200, body: StoredText.make("in time") }
          expect(yield* keys.complete(scope, token, answer)).toBe(true)
          expect(yield* keys.complete(scope, late, { status: 200, body: StoredText.make("late") })).toBe(false)
          expect(yield* begin(scope)).toEqual({ _tag: "Answered", answer })
          const next = yield* start(scope, { now: 1_440, expiresAt: 2_880 })
          expect(yield* keys.complete(scope, token, answer)).toBe(false)
          expect(yield* keys.complete(scope, next, answer)).toBe(true)
        })
    )

    it.effect("markExecuted prevents release and takeover of a key, but not complete", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope, { now: 0 })
        expect(yield* keys.markExecuted(scope, token, null)).toBe(true)
        expect(yield* keys.markExecuted(scope, token, null)).toBe(true)
        expect(yield* keys.release(scope, token)).toBe(false)
        expect((yield* begin(scope, { now: 99, takeOverBefore: 0 }))._tag).toBe("Running")
        expect((yield* begin(scope, { now: 99, takeOverBefore: 98 }))._tag).toBe("Executed")
        expect((yield* begin(scope, { now: 99, takeOverBefore: 98, digest: "other" }))._tag).toBe("Reused")
        const answer = { status: 502, body: StoredText.make("refused") }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* begin(scope, { now: 99, takeOverBefore: 98 })).toEqual({ _tag: "Answered", answer })
      })
    )

    it.effect(
      "begin returns the answer of markExecuted when it would otherwise take the key over, and no later answer replaces it",
      () =>
        Effect.gen(function* () {
          const keys = yield* IdempotencyStore
          const scope = yield* newScope
          const token = yield* start(scope, { now: 0 })
          const answer = { status: 201, body: StoredText.make("accepted") }
          expect(yield* keys.markExecuted(scope, token, { status: 201, body: StoredText.make("first") })).toBe(true)
          expect(yield* keys.markExecuted(scope, token, answer)).toBe(true)
          expect(yield* keys.release(scope, token)).toBe(false)
          expect((yield* begin(scope, { now: 1 }))._tag).toBe("Running")
          expect((yield* begin(scope, { now: 9, takeOverBefore: 0 }))._tag).toBe("Running")
          expect(yield* begin(scope, { now: 9, takeOverBefore: 8 })).toEqual({ _tag: "Answered", answer })
          const late = { status: 502, body: StoredText.make("late") }
          expect(yield* keys.complete(scope, token, late)).toBe(false)
          expect(yield* keys.markExecuted(scope, token, late)).toBe(false)
          expect(yield* begin(scope, { now: 9 })).toEqual({ _tag: "Answered", answer })
        })
    )

    it.effect("complete replaces the answer of markExecuted, once", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope, { now: 0 })
        yield* keys.markExecuted(scope, token, { status: 201, body: StoredText.make("accepted") })
        const answer = { status: 502, body: StoredText.make("refused") }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })).toBe(false)
        expect(yield* begin(scope, { now: 0 })).toEqual({ _tag: "Answered", answer })
        expect(yield* begin(scope, { now: 9, takeOverBefore: 8 })).toEqual({ _tag: "Answered", answer })
      })
    )

    it.effect("a key that has expired and begins again is not marked as executed", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        yield* keys.markExecuted(scope, yield* start(scope, { now: 0, expiresAt: 10 }), null)
        expect(yield* keys.release(scope, yield* start(scope, { now: 10, expiresAt: 20 }))).toBe(true)
      })
    )

    it.effect("markExecuted has no effect when its transaction fails", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* start(scope)
        const failing = Effect.andThen(keys.markExecuted(scope, token, null), Effect.fail("undone"))
        expect(yield* Effect.flip((yield* Transaction).run(failing))).toBe("undone")
        expect(yield* keys.release(scope, token)).toBe(true)
      })
    )

    it.effect("sweep deletes expired keys and returns their number", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const [gone, answered, valid] = [yield* newScope, yield* newScope, yield* newScope]
        yield* keys.sweep(Samples.later(-1_000), Samples.rowLimit(1_000))
        yield* begin(gone, { now: -2_000, expiresAt: -1_500 })
        const token = yield* start(answered, { now: -2_000, expiresAt: -1_100 })
        yield* keys.complete(answered, token, { status: 200, body: StoredText.make("") })
        const times = { now: Samples.later(-2_000), expiresAt: Samples.justAfter(-1_100), takeOverBefore: null }
        yield* keys.begin(valid, "body", times)
        expect(yield* keys.sweep(Samples.later(-1_100), Samples.rowLimit(1_000))).toBe(2)
        expect(yield* keys.sweep(Samples.later(-1_100), Samples.rowLimit(1_000))).toBe(0)
        expect((yield* begin(valid, { now: -1_100, expiresAt: 0 }))._tag).toBe("Running")
      })
    )

    it.effect("sweep deletes keys up to its limits of rows and bytes, but always one", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const sweep = (rows: number, bytes: number) => keys.sweep(Samples.later(-3_000), { rows, bytes })
        yield* keys.sweep(Samples.later(-3_000), Samples.rowLimit(1_000))
        for (let count = 0; count < 6; count++) {
          const scope = yield* newScope
          const token = yield* start(scope, { now: -4_000, expiresAt: -3_500 })
          // A storage may compress what it stores, so the text must be incompressible.
          const body = StoredText.make(Samples.incompressibleText(1_000))
          yield* keys.complete(scope, token, { status: 200, body })
        }
        expect(yield* sweep(2, 1_000_000)).toBe(2)
        expect(yield* sweep(100, 2_500)).toBe(2)
        expect(yield* sweep(100, 1)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(0)
      })
    )
  })
}

const newScope = Effect.map(
  Effect.suspend(() => Samples.makeAccount()),
  ({ id }): IdempotencyScope => ({
    accountId: id,
    method: "POST",
    path: "/api/v1/calls",
    key: Samples.unique("key")
  })
)

/** Arguments of `begin`. Times are in minutes after `Samples.now`. */
interface BeginOptions {
  readonly digest?: string
  readonly now?: number
  readonly expiresAt?: number
  readonly takeOverBefore?: number
}

/** Begins an execution and returns its token. Dies if `begin` does not return `Started`. */
const start = Effect.fnUntraced(function* (scope: IdempotencyScope, options: BeginOptions = {}) {
  const state = yield* begin(scope, options)
  if (state._tag !== "Started") return yield* Effect.die(new Error(`begin returned ${state._tag} instead of Started`))
  return state.token
})

/** Calls `begin` with defaults: the body `body`, at `Samples.now`, expiring after a day, no takeover. */
const begin = (scope: IdempotencyScope, options: BeginOptions = {}) =>
  Effect.flatMap(IdempotencyStore, (keys) =>
    keys.begin(scope, options.digest ?? "body", {
      now: Samples.later(options.now ?? 0),
      expiresAt: Samples.later(options.expiresAt ?? 1_440),
      takeOverBefore: options.takeOverBefore === undefined ? null : Samples.later(options.takeOverBefore)
    })
  )
