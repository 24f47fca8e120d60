import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { CallSnapshot, ProviderReport, StartAnswer } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import * as Money from "@frontdesk/core/values/Money"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { FakeCallProvider, providerCallId } from "../fake/FakeCallProvider.ts"
import { byName, history, outcomeOf } from "./CallHistories.ts"
import * as Crashes from "./Crashes.ts"
import { addUp } from "./Movements.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import type { SetClock } from "./WallClock.ts"
import { expect } from "./Expect.ts"

/**
 * Verifies, on a storage, that calls end correctly while parts of the system fail. The provider sends no reports,
 * repeats them, or is unreachable. Stores fail. The process is killed at one of the store methods in `points`.
 *
 * Each history begins with a new storage.
 */
export const callCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: laws of calls under storage failures and process kills`,
    "every call ends as its provider reports, each webhook event is raised once, and reconciliation stops asking",
    storage,
    fc.array(step, { minLength: 5, maxLength: 25, size: "max" }),
    play,
    options
  )

const points = [
  "CallStore.claim",
  "CallStore.findForUpdate",
  "CallStore.update",
  "AccountStore.changeFunds",
  "AccountStore.lockFunds",
  "WebhookStore.subscribers",
  "DeliveryStore.add",
  // Twice, so that faults at a commit are more frequent.
  "Transaction.run",
  "Transaction.run"
]

const act = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ _tag: fc.constant("Start" as const), answer: fc.constantFrom("Accepted", "Lost") })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Report" as const), which: fc.nat(), what: fc.nat() }) },
  { weight: 3, arbitrary: fc.constant({ _tag: "Nothing" as const }) }
)

const step = fc.record({
  seconds: fc.constantFrom(0, 1, 5, 10, 15, 30, 60, 120),
  act,
  /** How the provider answers when the worker asks about a call. */
  provider: fc.constantFrom("all", "all", "nothing new", "unreachable", "broken"),
  isReconciling: fc.boolean(),
  fault: fc.option(Crashes.plannedFault(points), { freq: 4 })
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, setClock: SetClock) {
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({
    settings: { ...settings, pricePerMinute: Money.Money.make(Money.scale), maxRunningCalls: 100 }
  })
  const agent = yield* Samples.makeAgent(account.id)
  yield* (yield* AccountStore).changeFunds(account.id, { deposits: Money.Money.make(100 * Money.scale) }, Samples.cause)
  yield* Samples.makeWebhook(account.id, {
    subscribedEvents: WebhookEventName.literals.filter((one) => one.startsWith("call."))
  })
  const calls = yield* Calls
  const fake = yield* FakeCallProvider
  const worker = yield* CallReconciliationWorker
  const delivered = yield* Crashes.collectDeliveries
  const as = Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })
  const storedCalls = Effect.map(calls.list({}, { page: 1, limit: 100 }), ({ items }) => items).pipe(as)

  /** The calls that the provider has dialled, with the reports that it has about each. */
  const dialled = new Map<string, ReadonlyArray<ProviderReport>>()
  let provider: Step["provider"] = "all"
  yield* fake.fetchWith((ref): CallSnapshot => {
    if (provider === "broken") throw new Error("a simulated defect of the adapter")
    if (provider === "unreachable") return { _tag: "Unreachable", cause: "no route" }
    const reports = dialled.get(ref)
    if (reports === undefined) return { _tag: "NotFound" }
    return { _tag: "Known", providerCallId: providerCallId(ref), reports: provider === "all" ? reports : [] }
  })

  const raised: Array<string> = []
  /** Verifies the invariants on all calls and returns the calls. */
  const checkInvariants = Effect.gen(function* () {
    for (const body of yield* delivered) {
      const { call, eventType } = decode(body)
      raised.push(`${call.id} ${eventType}`)
    }
    expect(raised).toEqual([...new Set(raised)])
    const all = yield* storedCalls
    const funds = yield* (yield* AccountStore).funds(account.id)
    const open = all.filter(({ status }) => !isTerminal(status))
    yield* addUp(account.id)
    expect(funds.reservations).toBe(open.reduce((sum, call) => sum + call.billing.initialCharge, 0))
    return all
  })

  const pass = Effect.fnUntraced(function* (seconds: number) {
    setClock(DateTime.add(yield* DateTime.now, { seconds }))
  })

  for (const { act, isReconciling, seconds, fault, ...step } of steps) {
    yield* pass(seconds)
    provider = step.provider
    let report: Effect.Effect<unknown, unknown> = Effect.void
    if (act._tag === "Start") {
      const now = yield* DateTime.now
      yield* fake.answerWith(({ ref }): StartAnswer => {
        dialled.set(ref, history(dialled.size % 3, now))
        return act.answer === "Lost"
          ? { _tag: "Unknown", cause: "the answer was lost" }
          : { _tag: "Accepted", providerCallId: providerCallId(ref) }
      })
      yield* Effect.exit(as(calls.start({ phoneNumber: "+12025550111", agentId: agent.id })))
    } else if (act._tag === "Report") {
      const [ref, reports] = [...dialled][act.which % dialled.size] ?? []
      const one = reports?.[act.what % reports.length]
      if (ref !== undefined && one !== undefined) {
        report = calls.applyReport({ providerCallId: providerCallId(ref), ref, report: one })
      }
    }
    yield* Crashes.runUnderFault(fault, [report, isReconciling ? worker.runOnce : Effect.void])
    yield* checkInvariants
  }

  provider = "all"
  const reconcileUntilDone = Effect.gen(function* () {
    // Longer than the 70 minutes after which a call is given up.
    for (let minutes = 0; minutes < 80; minutes += 2) {
      yield* pass(120)
      yield* worker.runOnce
    }
  })
  yield* reconcileUntilDone
  const questions = yield* fake.fetched
  const now = yield* DateTime.now
  for (const call of yield* checkInvariants) {
    const ofCall = raised.flatMap((one) => (one.startsWith(`${call.id} `) ? [one.slice(one.indexOf(" ") + 1)] : []))
    expect({ call: call.callId, status: call.status, raised: ofCall.toSorted(byName) }).toEqual({
      call: call.callId,
      ...outcomeOf(dialled.get(call.callId) ?? [])
    })
    // On average the worker asks at most once in 15 seconds. The 2 more are for the two moments at which it may give the
    // call up.
    const seconds = (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(call.createdAt)) / 1_000
    expect(questions.filter((ref) => ref === call.callId).length).toBeLessThanOrEqual(seconds / 15 + 2)
  }
  yield* reconcileUntilDone
  expect((yield* fake.fetched).length).toBe(questions.length)
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))
