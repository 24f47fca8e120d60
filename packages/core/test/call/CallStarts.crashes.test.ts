import { describe, expect, it } from "@effect/vitest"
import { balance } from "@frontdesk/core/access/Account"
import { Agents } from "@frontdesk/core/agent/Agents"
import { totalCharge } from "@frontdesk/core/call/Billing"
import type { Call } from "@frontdesk/core/call/Call"
import type { CallSnapshot, ProviderReport, StartAnswer } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { type Fault, FaultInjection, storageError, wrap } from "@frontdesk/testing/FaultInjection"
import { forAll } from "@frontdesk/testing/Property"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeCaller, money, names, ports, Published } from "./caller.ts"

/** The services over a fake provider and a storage whose transactions can fail. */
const services = CallReconciliationWorker.layer.pipe(
  Layer.provideMerge(Calls.layer),
  Layer.provideMerge(Agents.layer),
  Layer.provideMerge(Layer.mergeAll(wrap(Transaction, ports, storageError("unavailable")), FakeCallProvider.layer)),
  Layer.provideMerge(FaultInjection.layer())
)

/** The fault of a command: which of its transactions fail, and how. */
const fault = fc.option(
  fc.record({ kind: fc.constantFrom<Fault>("fail", "failAfter", "die"), after: fc.nat({ max: 2 }), times: fc.nat(5) })
)

const command = fc.oneof(
  fc.record({
    _tag: fc.constant("Start" as const),
    answer: fc.constantFrom("Accepted", "Refused", "Unknown", "lost", "interrupted"),
    fault
  }),
  fc.record({ _tag: fc.constant("Report" as const), which: fc.nat(), what: fc.nat(), fault }),
  fc.record({ _tag: fc.constant("Reconcile" as const), seconds: fc.integer({ min: 1, max: 150 }), fault })
)

/** Returns the provider's reports of a call that talks for some minutes. With 0 minutes the call is never answered. */
const history = (minutes: number): ReadonlyArray<ProviderReport> =>
  minutes === 0
    ? [
        { _tag: "Ringing" },
        { _tag: "Ended", status: "no_answer", answeredAt: null, endedAt: at(20), reason: "no_answer" }
      ]
    : [
        { _tag: "Ringing" },
        { _tag: "Answered", at: at(2) },
        { _tag: "Ended", status: "completed", answeredAt: at(2), endedAt: at(2 + minutes * 60), reason: "done" },
        { _tag: "Transcript", text: "Agent: Hello." }
      ]

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

describe("CallStarts.start", () => {
  it.effect("records the provider's answer when the layer of `Calls` closes before the answer is recorded", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const faults = yield* FaultInjection
      const scope = yield* Scope.make()
      const closing = Context.get(yield* Layer.buildWithScope(Layer.fresh(Calls.layer), scope), Calls)
      // The second transaction records the answer.
      yield* faults.set("Transaction.run", { fault: { delay: "1 second" }, after: 1 })
      yield* Effect.forkChild(closing.start(caller.input()).pipe(caller.as))
      yield* TestClock.adjust("500 millis")
      expect(yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)).toHaveLength(1)
      const closed = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closed)
      const calls = yield* Calls
      const { items } = yield* calls.list({}, { page: 1, limit: 1 }).pipe(caller.as)
      expect(items).toMatchObject([{ submission: "accepted", status: "queued" }])
    }).pipe(Effect.provide(services))
  )
})

describe("laws of CallStarts: calls whose storage fails or whose caller disconnects at any moment", () => {
  it.effect(
    "the account's reservations and charges match its calls, the provider is asked once for each call, and every call ends",
    () =>
      forAll(
        fc.tuple(fc.array(command, { maxLength: 12 }), fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 })),
        ([commands, talks]) =>
          Effect.gen(function* () {
            const caller = yield* makeCaller({ deposit: 0.5, maxRunningCalls: 3 })
            const calls = yield* Calls
            const fake = yield* FakeCallProvider
            const faults = yield* FaultInjection
            const reconciler = yield* CallReconciliationWorker
            const published = yield* Published
            const dialled = new Map<string, ReadonlyArray<ProviderReport>>()
            const dial = (ref: string): StartAnswer => {
              dialled.set(ref, history(talks[dialled.size % talks.length] ?? 0))
              return { _tag: "Accepted", providerCallId: providerCallId(ref) }
            }
            yield* fake.fetchWith((ref): CallSnapshot => {
              const reports = dialled.get(ref)
              return reports === undefined
                ? { _tag: "NotFound" }
                : { _tag: "Known", providerCallId: providerCallId(ref), reports }
            })
            const setFault = (fault: { readonly kind: Fault; readonly after: number; readonly times: number } | null) =>
              fault === null
                ? faults.clear
                : faults.set("Transaction.run", { fault: fault.kind, after: fault.after, times: fault.times })
            const allCalls = Effect.map(calls.list({}, { page: 1, limit: 100 }).pipe(caller.as), ({ items }) => items)

            const reservations = (open: ReadonlyArray<Call>) =>
              open
                .filter(({ status }) => !isTerminal(status))
                .reduce((sum, call) => sum + call.billing.initialCharge, 0)
            const consistent = Effect.gen(function* () {
              const all = yield* allCalls
              const funds = yield* caller.funds
              expect(funds.reservations).toBe(reservations(all))
              expect(funds.charges).toBe(
                all.filter(({ status }) => isTerminal(status)).reduce((sum, call) => sum + totalCharge(call.billing), 0)
              )
              expect(balance(funds)).toBeGreaterThanOrEqual(0)
              expect(all.filter(({ status }) => !isTerminal(status)).length).toBeLessThanOrEqual(3)
            })

            for (const each of commands) {
              yield* setFault(each.fault)
              if (each._tag === "Start") {
                const asked = yield* Deferred.make<void>()
                yield* fake.answerWith(({ ref }) =>
                  each.answer === "Refused"
                    ? { _tag: "Refused", code: "no", reason: "no", retryable: true }
                    : each.answer === "Unknown"
                      ? { _tag: "Unknown", cause: "timeout" }
                      : Effect.suspend(() => {
                          const answer = dial(ref)
                          if (each.answer === "lost") return Effect.die("the answer was lost")
                          if (each.answer === "Accepted") return Effect.succeed(answer)
                          return Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
                        })
                )
                const fiber = yield* Effect.forkChild(Effect.exit(caller.start()))
                yield* TestClock.adjust("1 second")
                if (each.answer === "interrupted") yield* Fiber.interrupt(fiber)
                else yield* Fiber.join(fiber)
              }
              const [ref, reports = []] = each._tag === "Report" ? ([...dialled][each.which % dialled.size] ?? []) : []
              const report = each._tag === "Report" ? reports[each.what % reports.length] : undefined
              if (ref !== undefined && report !== undefined) {
                yield* Effect.exit(calls.applyReport({ providerCallId: providerCallId(ref), ref, report }))
              }
              if (each._tag === "Reconcile") {
                yield* TestClock.adjust(`${each.seconds} seconds`)
                yield* Effect.exit(reconciler.runOnce)
              }
              yield* faults.clear
              yield* consistent
            }

            // Longer than the 70 minutes after which a call without an end is given up.
            for (let round = 0; round < 40; round++) {
              yield* TestClock.adjust("2 minutes")
              yield* reconciler.runOnce
            }
            yield* consistent
            const all = yield* allCalls
            expect(all.filter(({ status }) => !isTerminal(status))).toEqual([])
            expect((yield* caller.funds).reservations).toBe(0)
            const requests = yield* fake.requests
            expect(new Set(requests.map(({ ref }) => ref)).size).toBe(requests.length)
            for (const call of all) {
              const end = published.events.filter(
                ({ call: shown, eventType }) => shown.id === call.id && /^call\.(ended|failed)$/.test(eventType)
              )
              // At least one, because this publisher also has the webhook events of transactions that were rolled back.
              expect(end.length).toBeGreaterThanOrEqual(1)
              const wasAnswered = dialled.get(call.callId)?.some(({ _tag }) => _tag === "Answered") ?? false
              expect([call.callId, call.status]).toEqual([
                call.callId,
                wasAnswered ? "completed" : dialled.has(call.callId) ? "no_answer" : "failed"
              ])
              if (wasAnswered) expect(call.transcript).toBe("Agent: Hello.")
              if (!wasAnswered) expect(totalCharge(call.billing)).toBe(0)
            }
            expect((yield* names).length).toBeGreaterThanOrEqual(all.length)
            expect(yield* caller.balance).toBeLessThanOrEqual(money(0.5))
          }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, TestClock.layer()))),
        { numRuns: 100 }
      )
  )
})
