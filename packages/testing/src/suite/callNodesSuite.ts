import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { balance } from "@frontdesk/core/access/Account"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { billedMinutes, totalCharge } from "@frontdesk/core/call/Billing"
import { type Call, talkSeconds } from "@frontdesk/core/call/Call"
import type { CallEnd, CallSnapshot, ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as fc from "fast-check"
import { FakeCallProvider, providerCallId } from "../fake/FakeCallProvider.ts"
import * as Property from "../Property.ts"
import * as Crashes from "./Crashes.ts"
import { addUp } from "./Movements.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import { type SetClock, withWallClock } from "./WallClock.ts"
import { expect } from "./Expect.ts"
import { describe } from "./Tests.ts"

/**
 * Verifies, on a storage, that the workers of several server processes handle calls together: only one of them asks the
 * provider about a call at a time, and no call gets talk time that the balance does not cover.
 *
 * Each history begins with a new storage.
 */
export const callNodesSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void => {
  const playing = <A, E2>(
    play: (set: SetClock) => Effect.Effect<A, E2, Layer.Success<ReturnType<typeof services<E>>>>
  ) =>
    withWallClock(Samples.now, (set) => Effect.provide(play(set), Layer.fresh(services(storage)))).pipe(
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  describe(options)(`${name}: calls with several server processes`, (it) => {
    const test = options.excludeTestServices === true ? it.live : it.effect
    test(
      "only one of four reconciliation workers asks about a call at a time, and every call gets its transcript",
      () => playing(reconcileTogether),
      60_000
    )
    test(
      "reservations never exceed the balance, and at most one started minute of a call is written off, even when reports are lost",
      () =>
        Property.forAll(
          fc.array(step, { minLength: 20, maxLength: 60, size: "max" }),
          (steps) => playing(talkUnderFaults(steps)),
          {
            numRuns: options.runs ?? 60
          }
        ),
      180_000
    )
  })
}

const services = <E>(storage: StorageLayer<E>) => Crashes.services(storage)

/** A server process: workers of its own on the shared storage and the shared provider. */
const node = Effect.map(
  Layer.build(Layer.fresh(Layer.mergeAll(CallReconciliationWorker.layer, ReservationWorker.layer))),
  (context) => ({
    reconcile: Context.get(context, CallReconciliationWorker).runOnce,
    reserve: Context.get(context, ReservationWorker).runOnce
  })
)

const price = Money.Money.make(Money.scale)

const makeCaller = (deposit: number) =>
  Effect.gen(function* () {
    const accounts = yield* AccountStore
    const { settings } = Samples.newAccount()
    const account = yield* Samples.makeAccount({
      settings: { ...settings, pricePerMinute: price, maxRunningCalls: 100 }
    })
    const agent = yield* Samples.makeAgent(account.id)
    const pay = (minutes: number) =>
      accounts.changeFunds(account.id, { deposits: Money.times(price, minutes) }, Samples.cause)
    yield* pay(deposit)
    const calls = yield* Calls
    const store = yield* CallStore
    const transaction = yield* Transaction
    const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
    return {
      pay,
      funds: accounts.funds(account.id),
      addUp: addUp(account.id),
      start: calls
        .start({ phoneNumber: "+12025550111", agentId: agent.id })
        .pipe(Effect.provideService(Principal, principal)),
      report: ({ callId }: Call, report: ProviderReport) =>
        calls.applyReport({ providerCallId: providerCallId(callId), ref: callId, report }),
      stored: ({ id }: Call) => Effect.map(transaction.run(store.findForUpdate({ id })), Option.getOrThrow)
    }
  })

const reconcileTogether = (setClock: SetClock) =>
  Effect.gen(function* () {
    const count = 60
    const caller = yield* makeCaller(count)
    const fake = yield* FakeCallProvider
    const nodes = yield* Effect.all([node, node, node, node])
    const start = yield* DateTime.now
    const after = (seconds: number) => DateTime.add(start, { seconds })
    const made = yield* Effect.forEach(Array.from({ length: count }), () => caller.start)
    const end = { status: "completed", answeredAt: start, endedAt: after(10), reason: "done" } as const
    for (const { call } of made) yield* caller.report(call, { _tag: "Ended", ...end })
    const known =
      (...reports: ReadonlyArray<ProviderReport>) =>
      (ref: string): CallSnapshot => ({ _tag: "Known", providerCallId: providerCallId(ref), reports })
    const ask = Effect.gen(function* () {
      const totals = yield* Effect.forEach(nodes, ({ reconcile }) => reconcile, { concurrency: "unbounded" })
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(count)
    })

    yield* fake.fetchWith(known())
    // The sums of the standard follow-up delays: 15 seconds, then 1, 5 and 30 minutes (D-CALL-37).
    for (const seconds of [15, 75, 375]) {
      setClock(after(seconds))
      yield* ask
    }
    expect(yield* fake.fetched).toHaveLength(3 * count)
    yield* fake.fetchWith(known({ _tag: "Transcript", text: "Agent: Hello." }))
    setClock(after(2175))
    yield* ask
    for (const { call } of made) expect((yield* caller.stored(call)).transcript).toBe("Agent: Hello.")
  }).pipe(Effect.scoped)

/** The longest time between two rounds of the workers, in seconds. */
const maxTickSeconds = 5

const step = fc.record({
  seconds: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(1, maxTickSeconds) },
    { weight: 1, arbitrary: fc.constant(60) }
  ),
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constant({ _tag: "Start" as const }) },
    {
      weight: 3,
      arbitrary: fc.record({ _tag: fc.constant("Answer" as const), which: fc.nat(), isLost: fc.boolean() })
    },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Leave" as const), which: fc.nat(), isLost: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Deposit" as const), minutes: fc.nat({ max: 2 }) }) },
    { weight: 6, arbitrary: fc.constant({ _tag: "Nothing" as const }) }
  ),
  /**
   * The processes whose workers run in this step. `turns`: a worker of the first process is killed after so many turns
   * of its fiber.
   */
  working: fc.oneof(
    fc.constantFrom<"first" | "second" | "both">("first", "second", "both"),
    fc.record({ worker: fc.constantFrom<"reserve" | "reconcile">("reserve", "reconcile"), turns: fc.nat({ max: 40 }) })
  )
})

/** A call as the provider knows it, with the duration after which the provider ends it. */
interface ProviderCall {
  readonly call: Call
  readonly maxSeconds: number
  answeredAt: DateTime.Utc | null
  endedAt: DateTime.Utc | null
}

const talkUnderFaults =
  (steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer A> ? A : never>) => (setClock: SetClock) =>
    Effect.gen(function* () {
      const caller = yield* makeCaller(2)
      const fake = yield* FakeCallProvider
      const [first, second] = yield* Effect.all([node, node])
      const providerCalls: Array<ProviderCall> = []
      const maxSecondsOf = new Map<string, number>()
      yield* fake.answerWith(({ maxDurationSeconds, ref }) => {
        maxSecondsOf.set(ref, maxDurationSeconds)
        return { _tag: "Accepted", providerCallId: providerCallId(ref) }
      })
      const hungUp = new Set<string>()
      yield* fake.hangUpWith(({ ref }) => {
        hungUp.add(ref)
        return { _tag: "Ended" }
      })

      const endOf = ({ answeredAt }: ProviderCall, endedAt: DateTime.Utc): CallEnd =>
        answeredAt === null
          ? { status: "no_answer", answeredAt, endedAt, reason: "no_answer" }
          : { status: "completed", answeredAt, endedAt, reason: "done" }
      const providerCallOf = new Map<string, ProviderCall>()
      yield* fake.fetchWith((ref): CallSnapshot => {
        const line = providerCallOf.get(ref)
        if (line === undefined) return { _tag: "NotFound" }
        const { answeredAt, endedAt } = line
        const reports: ReadonlyArray<ProviderReport> = [
          { _tag: "Ringing" },
          ...(answeredAt === null ? [] : [{ _tag: "Answered" as const, at: answeredAt }]),
          ...(endedAt === null ? [] : [{ _tag: "Ended" as const, ...endOf(line, endedAt) }])
        ]
        return { _tag: "Known", providerCallId: providerCallId(ref), reports }
      })

      /** Ends the calls that were hung up, that have reached their longest duration, or that `leaving` names. */
      const endCalls = Effect.fnUntraced(function* (leaving: (line: ProviderCall) => "reported" | "lost" | null) {
        const now = yield* DateTime.now
        for (const line of providerCalls) {
          if (line.endedAt !== null) continue
          const limit = line.answeredAt === null ? now : DateTime.add(line.answeredAt, { seconds: line.maxSeconds })
          const isOver = line.answeredAt !== null && DateTime.isLessThanOrEqualTo(limit, now)
          const left = leaving(line)
          if (!isOver && !hungUp.has(line.call.callId) && left === null) continue
          line.endedAt = DateTime.min(now, limit)
          if (left !== "lost") yield* caller.report(line.call, { _tag: "Ended", ...endOf(line, line.endedAt) })
        }
      })

      const check = Effect.gen(function* () {
        const now = yield* DateTime.now
        const funds = yield* caller.funds
        const storedCalls = yield* Effect.forEach(providerCalls, ({ call }) => caller.stored(call))
        const open = storedCalls.filter(({ status }) => !isTerminal(status))
        expect(balance(funds)).toBeGreaterThanOrEqual(0)
        yield* caller.addUp
        expect(funds.reservations).toBe(open.reduce((sum, call) => sum + call.reservedMinutes * price, 0))
        for (const [index, call] of storedCalls.entries()) {
          const line = providerCalls[index]
          if (line === undefined || line.answeredAt === null || line.endedAt !== null) continue
          const talked = (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(line.answeredAt)) / 1_000
          expect(talked).toBeLessThanOrEqual(call.reservedMinutes * 60 + 60)
        }
        return storedCalls
      })

      /** Runs one round of both workers of each given process. */
      const work = (nodes: ReadonlyArray<typeof first>) =>
        Effect.forEach(
          nodes.flatMap(({ reconcile, reserve }) => [reserve, reconcile]),
          (once) => once,
          { concurrency: "unbounded", discard: true }
        )

      const allowed = (worker: "reserve" | "reconcile", now: DateTime.Utc): boolean =>
        DateTime.isLessThanOrEqualTo(killedUntil[worker], now)
      const killedUntil = { reserve: yield* DateTime.now, reconcile: yield* DateTime.now }
      for (const { act, seconds, working } of steps) {
        for (let passed = 0; passed + maxTickSeconds < seconds; passed += maxTickSeconds) {
          setClock(DateTime.add(yield* DateTime.now, { seconds: maxTickSeconds }))
          yield* endCalls(() => null)
          yield* work([second])
          yield* check
        }
        setClock(DateTime.add(yield* DateTime.now, { seconds: Math.min(seconds, maxTickSeconds) }))
        const open = providerCalls.filter(({ endedAt }) => endedAt === null)
        if (act._tag === "Start") {
          const started = yield* Effect.option(caller.start)
          if (Option.isSome(started)) {
            const { call } = started.value
            const line = { call, maxSeconds: maxSecondsOf.get(call.callId) ?? 0, answeredAt: null, endedAt: null }
            providerCalls.push(line)
            providerCallOf.set(call.callId, line)
          }
        } else if (act._tag === "Deposit") {
          yield* caller.pay(act.minutes)
        } else if (act._tag === "Answer") {
          const line = open[act.which % open.length]
          if (line?.answeredAt === null) {
            line.answeredAt = yield* DateTime.now
            if (!act.isLost) yield* caller.report(line.call, { _tag: "Answered", at: line.answeredAt })
          }
        }
        const leaving = act._tag === "Leave" ? open[act.which % open.length] : undefined
        const left = act._tag === "Leave" && act.isLost ? "lost" : "reported"
        yield* endCalls((line) => (line === leaving ? left : null))
        const now = yield* DateTime.now
        if (typeof working === "object" && allowed(working.worker, now)) {
          // A worker is killed again only when the claims of its last kill are due again, after 5 or 45 seconds. Otherwise
          // a call would wait longer than the law allows.
          killedUntil[working.worker] = DateTime.add(now, { seconds: working.worker === "reserve" ? 7 : 120 })
          yield* killedAfter(working.turns, first[working.worker])
          yield* work([second])
        } else {
          yield* work(working === "first" ? [first] : working === "second" ? [second] : [first, second])
        }
        yield* check
        yield* endCalls(() => null)
      }

      yield* endCalls(() => "reported")
      // The reconciliation worker finds the ends that were not reported.
      for (let rounds = 0; rounds < 3; rounds++) {
        setClock(DateTime.add(yield* DateTime.now, { minutes: 2 }))
        yield* work([first, second])
      }
      const charged = (yield* check).map((call) => {
        const owed = billedMinutes(talkSeconds(call)) * price
        expect(owed - totalCharge(call.billing)).toBeGreaterThanOrEqual(0)
        expect(owed - totalCharge(call.billing)).toBeLessThanOrEqual(price)
        return totalCharge(call.billing)
      })
      expect(yield* caller.funds).toMatchObject({
        reservations: 0,
        charges: charged.reduce((sum, one) => sum + one, 0)
      })
    }).pipe(Effect.scoped)

/** Runs an effect whose process is killed after some turns of the fiber. */
const killedAfter = Effect.fnUntraced(function* <E, R>(turns: number, effect: Effect.Effect<unknown, E, R>) {
  const running = yield* Effect.forkChild(Effect.exit(effect))
  for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
  yield* Fiber.interrupt(running)
})
