import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { TeamId } from "@frontdesk/core/access/Team"
import { CurrentExecution } from "@frontdesk/core/idempotency/CurrentExecution"
import { Idempotency, answerRetention, atomicTimeout } from "@frontdesk/core/idempotency/Idempotency"
import { IdempotencyStore, type StoredAnswer } from "@frontdesk/core/idempotency/IdempotencyStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/testing/TestClock"
import { box, oldKey } from "../delivery/sealing.ts"

const services = Layer.mergeAll(Accounts.layer, Idempotency.layer).pipe(Layer.provideMerge(MemoryStorage.layer))

/** The two signals of `slowStore`: it completes `claimed` after it has claimed a key, and then waits for `gate`. */
class Gate extends Context.Service<
  Gate,
  { readonly claimed: Deferred.Deferred<void>; readonly gate: Deferred.Deferred<void> }
>()("@frontdesk/core/test/idempotency/Idempotency.test/Gate") {}

/** A store that waits after it has claimed a key, so that the test can interrupt the claiming request. */
const slowStore = Layer.effect(
  IdempotencyStore,
  Effect.gen(function* () {
    const { gate, claimed } = yield* Gate
    const store = yield* IdempotencyStore
    const wait = Effect.andThen(Deferred.succeed(claimed, undefined), Deferred.await(gate))
    return IdempotencyStore.of({ ...store, begin: (...asked) => Effect.tap(store.begin(...asked), () => wait) })
  })
).pipe(
  Layer.provideMerge(Layer.effect(Gate, Effect.all({ claimed: Deferred.make<void>(), gate: Deferred.make<void>() }))),
  Layer.provideMerge(MemoryStorage.layer)
)

const slowServices = Layer.mergeAll(Accounts.layer, Idempotency.layer).pipe(Layer.provideMerge(slowStore))

const created: StoredAnswer = { status: 201, body: '{"id":1}' }

const failed: StoredAnswer = { status: 502, body: '{"error":"provider_error"}' }

const record = Effect.flatMap(CurrentExecution, ({ record }) => record(null))

const setUp = Effect.gen(function* () {
  const accounts = yield* Accounts
  const idempotency = yield* Idempotency
  const { id } = yield* accounts.create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  const runs = yield* Ref.make(0)
  const count = Effect.as(
    Ref.update(runs, (n) => n + 1),
    created
  )
  const scope = { accountId: id, method: "POST", path: "/api/v1/calls", key: "k1" }
  return { idempotency, scope, runs, count }
})

describe("Idempotency", () => {
  it.effect("a repeat returns the stored answer without executing the request", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs, count } = yield* setUp
      const first = yield* idempotency.run(scope, "body", { atomic: true }, count)
      const second = yield* idempotency.run(scope, "body", { atomic: true }, count)
      expect(first).toEqual({ answer: created, replayed: false })
      expect(second).toEqual({ answer: created, replayed: true })
      expect(yield* Ref.get(runs)).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a request with the same key and another body fails with IdempotencyKeyReuse", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      yield* idempotency.run(scope, "body", { atomic: true }, count)
      const error = yield* Effect.flip(idempotency.run(scope, "other", { atomic: true }, count))
      expect(error).toMatchObject({ _tag: "IdempotencyKeyReuse", key: "k1" })
    }).pipe(Effect.provide(services))
  )

  it.effect("a key belongs to one account, one method and one path (D-IDEM-2)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs, count } = yield* setUp
      yield* idempotency.run(scope, "body", { atomic: true }, count)
      yield* idempotency.run({ ...scope, path: "/other" }, "other", { atomic: true }, count)
      yield* idempotency.run({ ...scope, method: "PUT" }, "other", { atomic: true }, count)
      const other = yield* setUp
      yield* idempotency.run(other.scope, "other", { atomic: true }, count)
      expect(yield* Ref.get(runs)).toBe(4)
    }).pipe(Effect.provide(services))
  )

  it.effect("a second request fails with IdempotencyInProgress while the first one has no answer", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      const started = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const slow = Deferred.succeed(started, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.andThen(count)
      )
      const running = yield* Effect.forkChild(idempotency.run(scope, "body", { atomic: false }, slow))
      yield* Deferred.await(started)
      const error = yield* Effect.flip(idempotency.run(scope, "body", { atomic: false }, count))
      expect(error).toMatchObject({ _tag: "IdempotencyInProgress", key: "k1" })
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(running)).replayed).toBe(false)
    }).pipe(Effect.provide(services))
  )

  it.effect("an answer is stored for 24 hours (D-IDEM-3)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs, count } = yield* setUp
      yield* idempotency.run(scope, "body", { atomic: true }, count)
      yield* TestClock.adjust(Duration.millis(Duration.toMillis(Duration.hours(24)) - 1))
      expect((yield* idempotency.run(scope, "body", { atomic: true }, count)).replayed).toBe(true)
      yield* TestClock.adjust(Duration.millis(1))
      expect((yield* idempotency.run(scope, "other", { atomic: true }, count)).replayed).toBe(false)
      expect(yield* Ref.get(runs)).toBe(2)
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "more than a minute after a process died its key can be claimed, or fails with IdempotencyAnswerLost when it was executed",
    () =>
      Effect.gen(function* () {
        const { idempotency, scope, runs, count } = yield* setUp
        const store = yield* IdempotencyStore
        const now = yield* DateTime.now
        const times = { now, expiresAt: DateTime.addDuration(now, answerRetention), takeOverBefore: null }
        const executed = { ...scope, key: "executed" }
        yield* store.begin(scope, "body", times)
        const state = yield* store.begin(executed, "body", times)
        if (state._tag === "Started") yield* store.markExecuted(executed, state.token, null)
        const refusal = (of: typeof scope) => Effect.flip(idempotency.run(of, "body", { atomic: false }, count))
        yield* TestClock.adjust(Duration.minutes(1))
        expect(yield* refusal(scope)).toMatchObject({ _tag: "IdempotencyInProgress", key: "k1" })
        expect(yield* refusal(executed)).toMatchObject({ _tag: "IdempotencyInProgress" })
        yield* TestClock.adjust(Duration.millis(1))
        expect(yield* refusal(executed)).toMatchObject({ _tag: "IdempotencyAnswerLost", key: "executed" })
        expect((yield* idempotency.run(scope, "body", { atomic: false }, count)).replayed).toBe(false)
        expect(yield* Ref.get(runs)).toBe(1)
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a request that is not atomic releases its key when it fails before its execution is recorded (D-IDEM-5)",
    () =>
      Effect.gen(function* () {
        const { idempotency, scope, count } = yield* setUp
        const options = { atomic: false, failureAnswer: () => Effect.succeed(failed) }
        expect(yield* Effect.flip(idempotency.run(scope, "body", options, Effect.fail("refused")))).toBe("refused")
        expect((yield* idempotency.run(scope, "body", options, count)).replayed).toBe(false)
      }).pipe(Effect.provide(services))
  )

  it.effect("an error after the execution was recorded is stored as the answer (D-IDEM-6)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      const options = { atomic: false, failureAnswer: () => Effect.succeed(failed) }
      const broken = Effect.andThen(record, Effect.fail("broken"))
      expect(yield* idempotency.run(scope, "body", options, broken)).toEqual({ answer: failed, replayed: false })
      expect(yield* idempotency.run(scope, "body", options, count)).toEqual({ answer: failed, replayed: true })
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a repeat returns the recorded answer when the executed request has stored none for a minute (D-IDEM-7)",
    () =>
      Effect.gen(function* () {
        const { idempotency, scope, count, runs } = yield* setUp
        const gate = yield* Deferred.make<void>()
        const accepted: StoredAnswer = { status: 201, body: '{"id":1,"status":"queued"}' }
        const options = {
          atomic: false,
          failureAnswer: () => Effect.succeed(failed),
          storedForm: (answer: StoredAnswer) => ({ ...answer, body: answer.body.replace("1", "null") })
        }
        const recorded = Effect.flatMap(CurrentExecution, ({ record }) => record(accepted))
        const stuck = recorded.pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(Effect.fail("refused")))
        const first = yield* Effect.forkChild(Effect.flip(idempotency.run(scope, "body", options, stuck)))
        yield* TestClock.adjust(Duration.minutes(1))
        const repeat = idempotency.run(scope, "body", options, count)
        expect((yield* Effect.flip(repeat))._tag).toBe("IdempotencyInProgress")
        yield* TestClock.adjust(Duration.millis(1))
        const replayed = { answer: { status: 201, body: '{"id":null,"status":"queued"}' }, replayed: true }
        expect(yield* repeat).toEqual(replayed)
        expect((yield* Effect.flip(idempotency.run(scope, "other", options, count)))._tag).toBe("IdempotencyKeyReuse")
        // A replayed answer is final. The process that seemed dead cannot replace it with another one.
        yield* Deferred.succeed(gate, undefined)
        expect(yield* Fiber.join(first)).toBe("refused")
        expect(yield* repeat).toEqual(replayed)
        expect(yield* Ref.get(runs)).toBe(0)
      }).pipe(Effect.provide(services))
  )

  it.effect("the answer of a request replaces the answer that was recorded with its execution", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      const execute = Effect.andThen(
        Effect.flatMap(CurrentExecution, ({ record }) => record({ status: 201, body: "{}" })),
        count
      )
      const first = yield* idempotency.run(scope, "body", { atomic: false }, execute)
      const second = yield* idempotency.run(scope, "body", { atomic: false }, execute)
      yield* TestClock.adjust(Duration.minutes(2))
      const third = yield* idempotency.run(scope, "body", { atomic: false }, execute)
      expect([first, second, third].map(({ answer }) => answer)).toEqual([created, created, created])
    }).pipe(Effect.provide(services))
  )

  it.effect("an execution whose transaction fails is not recorded, and its key is released", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      const options = { atomic: false, failureAnswer: () => Effect.succeed(failed) }
      const transaction = yield* Transaction
      const undone = transaction.run(Effect.andThen(record, Effect.fail("undone")))
      expect(yield* Effect.flip(idempotency.run(scope, "body", options, undone))).toBe("undone")
      expect((yield* idempotency.run(scope, "body", options, count)).replayed).toBe(false)
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a request commits nothing when another request has claimed its key before the execution is recorded (D-IDEM-10)",
    () =>
      Effect.gen(function* () {
        const { idempotency, scope, count, runs } = yield* setUp
        const gate = yield* Deferred.make<void>()
        const late = Effect.andThen(Deferred.await(gate), Effect.andThen(record, count))
        const standing = yield* Effect.forkChild(Effect.flip(idempotency.run(scope, "body", { atomic: false }, late)))
        yield* TestClock.adjust(Duration.millis(60_001))
        expect((yield* idempotency.run(scope, "body", { atomic: false }, count)).replayed).toBe(false)
        yield* Deferred.succeed(gate, undefined)
        expect(yield* Fiber.join(standing)).toMatchObject({ _tag: "IdempotencyInProgress" })
        expect(yield* Ref.get(runs)).toBe(1)
      }).pipe(Effect.provide(services))
  )

  it.effect("an atomic request times out before its key can be claimed again (D-IDEM-9)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs, count } = yield* setUp
      const teams = yield* TeamStore
      const stuck = Effect.andThen(teams.insert("Lost"), Effect.andThen(Effect.never, count))
      const running = yield* Effect.forkChild(Effect.flip(idempotency.run(scope, "body", { atomic: true }, stuck)))
      yield* TestClock.adjust(atomicTimeout)
      expect(yield* Fiber.join(running)).toMatchObject({ _tag: "StorageError", reason: "unavailable" })
      expect(Option.isNone(yield* teams.find(TeamId.make(1)))).toBe(true)
      expect((yield* idempotency.run(scope, "body", { atomic: true }, count)).replayed).toBe(false)
      expect(yield* Ref.get(runs)).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a caller that disconnects while the key is being claimed leaves the key unclaimed", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs, count } = yield* setUp
      const { gate, claimed } = yield* Gate
      const running = yield* Effect.forkChild(idempotency.run(scope, "body", { atomic: true }, count))
      yield* Deferred.await(claimed)
      const gone = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* Effect.yieldNow
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(gone)
      expect(yield* Ref.get(runs)).toBe(0)
      expect((yield* idempotency.run(scope, "body", { atomic: true }, count)).replayed).toBe(false)
    }).pipe(Effect.provide(slowServices))
  )

  it.effect("an atomic request that fails changes nothing and releases its key (D-IDEM-5)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      const teams = yield* TeamStore
      const failing = Effect.andThen(teams.insert("Lost"), Effect.fail("broken"))
      expect(yield* Effect.flip(idempotency.run(scope, "body", { atomic: true }, failing))).toBe("broken")
      expect(Option.isNone(yield* teams.find(TeamId.make(1)))).toBe(true)
      expect((yield* idempotency.run(scope, "body", { atomic: true }, count)).replayed).toBe(false)
    }).pipe(Effect.provide(services))
  )

  it.effect("an answer is stored sealed for its own request, and replayed unchanged (D-SEC-5)", () =>
    Effect.gen(function* () {
      const { idempotency, scope, runs } = yield* setUp
      const store = yield* IdempotencyStore
      const answer = { status: 201, body: '{"secret":"whsec_shown_once"}' }
      const execute = Effect.as(
        Ref.update(runs, (n) => n + 1),
        answer
      )
      const stateOf = Effect.fnUntraced(function* (of: typeof scope) {
        const now = yield* DateTime.now
        const times = { now, expiresAt: DateTime.addDuration(now, answerRetention), takeOverBefore: null }
        const state = yield* store.begin(of, "body", times)
        return state
      })
      const storedAnswer = (of: typeof scope) =>
        Effect.map(stateOf(of), (state) => (state._tag === "Answered" ? state.answer : undefined))
      for (const atomic of [true, false]) {
        const of = { ...scope, key: `atomic:${atomic}` }
        yield* idempotency.run(of, "body", { atomic }, execute)
        const answered = yield* storedAnswer(of)
        expect(answered?.status).toBe(201)
        expect(answered?.body).toMatch(/^sealed:1:old:[\w-]+$/)
        expect(yield* idempotency.run(of, "body", { atomic }, execute)).toEqual({ answer, replayed: true })
      }
      expect(yield* Ref.get(runs)).toBe(2)

      const other = { ...scope, key: "another" }
      const state = yield* stateOf(other)
      const token = state._tag === "Started" ? state.token : ""
      const moved = StoredText.make((yield* storedAnswer({ ...scope, key: "atomic:true" }))?.body ?? "")
      yield* store.complete(other, token, { status: 201, body: moved })
      const error = yield* Effect.flip(idempotency.run(other, "body", { atomic: true }, execute))
      expect(error).toMatchObject({ _tag: "StorageError", reason: "corrupt" })
    }).pipe(Effect.provide(services.pipe(Layer.provide(box(oldKey)))))
  )

  it.effect("an answer that was stored plain is replayed when there is a key", () =>
    Effect.gen(function* () {
      const { idempotency, scope, count } = yield* setUp
      yield* idempotency.run(scope, "body", { atomic: true }, count)
      const again = yield* Effect.flatMap(Idempotency, ({ run }) => run(scope, "body", { atomic: true }, count)).pipe(
        Effect.provide(Layer.fresh(Idempotency.layer).pipe(Layer.provide(box(oldKey))))
      )
      expect(again).toEqual({ answer: created, replayed: true })
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "an account that has stored 8 MiB of large answers stores further ones reduced until a day has passed (D-IDEM-14)",
    () =>
      Effect.gen(function* () {
        const { idempotency, scope } = yield* setUp
        const large: StoredAnswer = { status: 200, body: "x".repeat(65_536) }
        const small: StoredAnswer = { status: 200, body: "x".repeat(2_048) }
        const options = {
          atomic: true,
          storedForm: (answer: StoredAnswer, isReduced: boolean) => (isReduced ? created : answer)
        }
        const replay = Effect.fnUntraced(function* (key: string, answer: StoredAnswer) {
          const run = idempotency.run({ ...scope, key }, "body", options, Effect.succeed(answer))
          expect(yield* run).toEqual({ answer, replayed: false })
          return (yield* run).answer
        })
        for (let index = 0; index < 128; index++) expect(yield* replay(`large-${index}`, large)).toEqual(large)
        expect(yield* replay("beyond", large)).toEqual(created)
        expect(yield* replay("small", small)).toEqual(small)
        yield* TestClock.adjust("24 hours")
        expect(yield* replay("later", large)).toEqual(large)
      }).pipe(Effect.provide(services))
  )
})
