import { type IdempotencyScope, IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `IdempotencyStore` promises. */
export const idempotencyStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: IdempotencyStore`, (it) => {
    it.effect("a key is started, then running, then answered with the same answer for ever", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope)
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

    it.effect("a key with another body is reused, running or answered", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope)
        expect(yield* begin(scope, { fingerprint: "other" })).toEqual({ _tag: "Reused" })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })
        expect(yield* begin(scope, { fingerprint: "other" })).toEqual({ _tag: "Reused" })
      })
    )

    it.effect("a key counts for one account, method and path", () =>
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

    it.effect("of requests at once exactly one is started", () =>
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

    it.effect("a key that is given back counts as new, an answered one stays", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        yield* keys.release(scope, yield* take(scope))
        const token = yield* take(scope, { fingerprint: "other" })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("kept") })
        yield* keys.release(scope, token)
        expect((yield* begin(scope, { fingerprint: "other" }))._tag).toBe("Answered")
      })
    )

    it.effect("a key past its time counts as new, whatever its body", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope, { now: 0, expiresAt: 10 })
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("old") })
        expect((yield* begin(scope, { now: 9, expiresAt: 19 }))._tag).toBe("Answered")
        expect(yield* begin(scope, { now: 10, expiresAt: 20, fingerprint: "other" })).toMatchObject({ _tag: "Started" })
        expect(yield* begin(scope, { now: 11, expiresAt: 21, fingerprint: "other" })).toEqual({ _tag: "Running" })
      })
    )

    it.effect("an unanswered key is taken over when it was left behind, by the same body alone", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        yield* begin(scope, { now: 5 })
        expect((yield* begin(scope, { now: 9, takeOverBefore: 5 }))._tag).toBe("Running")
        expect((yield* begin(scope, { now: 9, takeOverBefore: 6, fingerprint: "other" }))._tag).toBe("Reused")
        const token = yield* take(scope, { now: 9, takeOverBefore: 6 })
        expect((yield* begin(scope, { now: 9, takeOverBefore: 6 }))._tag).toBe("Running")
        yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })
        expect((yield* begin(scope, { now: 99, takeOverBefore: 98 }))._tag).toBe("Answered")
      })
    )

    it.effect("who lost a key to another can neither answer nor give it back, not even past its time", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const late = yield* take(scope, { now: 0 })
        const token = yield* take(scope, { now: 9, takeOverBefore: 6 })
        expect(token).not.toBe(late)
        expect(yield* keys.complete(scope, late, { status: 200, body: StoredText.make("late") })).toBe(false)
        expect(yield* keys.markExecuted(scope, late, null)).toBe(false)
        expect(yield* keys.release(scope, late)).toBe(false)
        expect((yield* begin(scope, { now: 9 }))._tag).toBe("Running")
        const answer = { status: 200, body: StoredText.make("in time") }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* keys.complete(scope, late, { status: 200, body: StoredText.make("late") })).toBe(false)
        expect(yield* begin(scope)).toEqual({ _tag: "Answered", answer })
        const next = yield* take(scope, { now: 1_440, expiresAt: 2_880 })
        expect(yield* keys.complete(scope, token, answer)).toBe(false)
        expect(yield* keys.complete(scope, next, answer)).toBe(true)
      })
    )

    it.effect("a key that is marked as executed is neither released nor taken over, and takes its answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope, { now: 0 })
        expect(yield* keys.markExecuted(scope, token, null)).toBe(true)
        expect(yield* keys.markExecuted(scope, token, null)).toBe(true)
        expect(yield* keys.release(scope, token)).toBe(false)
        expect((yield* begin(scope, { now: 99, takeOverBefore: 0 }))._tag).toBe("Running")
        expect((yield* begin(scope, { now: 99, takeOverBefore: 98 }))._tag).toBe("Executed")
        expect((yield* begin(scope, { now: 99, takeOverBefore: 98, fingerprint: "other" }))._tag).toBe("Reused")
        const answer = { status: 502, body: StoredText.make("refused") }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* begin(scope, { now: 99, takeOverBefore: 98 })).toEqual({ _tag: "Answered", answer })
      })
    )

    it.effect("the answer of a mark counts once the key is left behind, and from then on no other does", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope, { now: 0 })
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

    it.effect("the answer of a mark gives way to the one of the request", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope, { now: 0 })
        yield* keys.markExecuted(scope, token, { status: 201, body: StoredText.make("accepted") })
        const answer = { status: 502, body: StoredText.make("refused") }
        expect(yield* keys.complete(scope, token, answer)).toBe(true)
        expect(yield* keys.complete(scope, token, { status: 200, body: StoredText.make("") })).toBe(false)
        expect(yield* begin(scope, { now: 0 })).toEqual({ _tag: "Answered", answer })
        expect(yield* begin(scope, { now: 9, takeOverBefore: 8 })).toEqual({ _tag: "Answered", answer })
      })
    )

    it.effect("a key past its time is not marked as executed when it is taken again", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        yield* keys.markExecuted(scope, yield* take(scope, { now: 0, expiresAt: 10 }), null)
        expect(yield* keys.release(scope, yield* take(scope, { now: 10, expiresAt: 20 }))).toBe(true)
      })
    )

    it.effect("a mark of a transaction that fails is undone with it", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const scope = yield* newScope
        const token = yield* take(scope)
        const failing = Effect.andThen(keys.markExecuted(scope, token, null), Effect.fail("undone"))
        expect(yield* Effect.flip((yield* Transaction).run(failing))).toBe("undone")
        expect(yield* keys.release(scope, token)).toBe(true)
      })
    )

    it.effect("a sweep forgets keys past their time and says how many", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const [gone, answered, kept] = [yield* newScope, yield* newScope, yield* newScope]
        yield* keys.sweep(Samples.later(-1_000), Samples.rows(1_000))
        yield* begin(gone, { now: -2_000, expiresAt: -1_500 })
        const token = yield* take(answered, { now: -2_000, expiresAt: -1_100 })
        yield* keys.complete(answered, token, { status: 200, body: StoredText.make("") })
        yield* begin(kept, { now: -2_000, expiresAt: -1_099 })
        expect(yield* keys.sweep(Samples.later(-1_100), Samples.rows(1_000))).toBe(2)
        expect(yield* keys.sweep(Samples.later(-1_100), Samples.rows(1_000))).toBe(0)
        expect((yield* begin(kept, { now: -1_100, expiresAt: 0 }))._tag).toBe("Running")
      })
    )

    it.effect("a step of a sweep deletes no more rows and no more bytes than its limit, and one in any case", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const sweep = (rows: number, bytes: number) => keys.sweep(Samples.later(-3_000), { rows, bytes })
        yield* keys.sweep(Samples.later(-3_000), Samples.rows(1_000))
        for (let count = 0; count < 6; count++) {
          const scope = yield* newScope
          const token = yield* take(scope, { now: -4_000, expiresAt: -3_500 })
          // Of random text, because a storage may compress what it stores.
          const body = StoredText.make(Samples.noise(1_000))
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

/** How a key is asked for; times in minutes after `Samples.now`. */
interface Asked {
  readonly fingerprint?: string
  readonly now?: number
  readonly expiresAt?: number
  readonly takeOverBefore?: number
}

/** Takes a key that must be free; answers its token. */
const take = Effect.fnUntraced(function* (scope: IdempotencyScope, asked: Asked = {}) {
  const state = yield* begin(scope, asked)
  if (state._tag !== "Started") return yield* Effect.die(new Error(`the key is not free: ${state._tag}`))
  return state.token
})

/** Asks for a key. */
const begin = (scope: IdempotencyScope, asked: Asked = {}) =>
  Effect.flatMap(IdempotencyStore, (keys) =>
    keys.begin(scope, asked.fingerprint ?? "body", {
      now: Samples.later(asked.now ?? 0),
      expiresAt: Samples.later(asked.expiresAt ?? 1_440),
      takeOverBefore: asked.takeOverBefore === undefined ? null : Samples.later(asked.takeOverBefore)
    })
  )
