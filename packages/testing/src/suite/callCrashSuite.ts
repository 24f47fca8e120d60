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
import { expect } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { FakeCallProvider, providerCallId } from "../fake/FakeCallProvider.ts"
import * as Crashes from "./Crashes.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import type { SetClock } from "./WallClock.ts"

/**
 * Holds a storage, with the services over it, to what is promised of calls whatever breaks while their provider reports
 * or is asked: it says nothing by itself, repeats itself, or cannot be reached, stores fail, and the process is killed
 * at any call, also between a question and its answer.
 *
 * The storage is built anew for each history.
 */
export const callCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.law(
    `${name}: laws of calls whose process or storage breaks at any moment`,
    "every call ends as its provider knows, whatever happens in it is raised once, and questions come to an end",
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
  "WebhookStore.subscribers",
  "DeliveryStore.add",
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
  /** What it has to say when it is asked. */
  provider: fc.constantFrom("all", "all", "nothing new", "unreachable", "broken"),
  isReconciling: fc.boolean(),
  strike: fc.option(Crashes.strike(points), { freq: 4 })
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, setClock: SetClock) {
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({
    settings: { ...settings, pricePerMinute: Money.Money.make(Money.scale), maxRunningCalls: 100 }
  })
  const agent = yield* Samples.makeAgent(account.id)
  yield* (yield* AccountStore).changeFunds(account.id, { deposits: Money.Money.make(100 * Money.scale) })
  yield* Samples.makeWebhook(account.id, {
    subscribedEvents: WebhookEventName.literals.filter((one) => one.startsWith("call."))
  })
  const calls = yield* Calls
  const fake = yield* FakeCallProvider
  const reconciler = yield* CallReconciliationWorker
  const delivered = yield* Crashes.watch
  const as = Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })
  const kept = Effect.map(calls.list({}, { page: 1, limit: 100 }), ({ items }) => items).pipe(as)

  /** What the provider has dialled, and what of it it reports when it is asked. */
  const dialled = new Map<string, ReadonlyArray<ProviderReport>>()
  let provider: Step["provider"] = "all"
  yield* fake.tell((ref): CallSnapshot => {
    if (provider === "broken") throw new Error("a bug of the adapter")
    if (provider === "unreachable") return { _tag: "Unreachable", cause: "no route" }
    const reports = dialled.get(ref)
    if (reports === undefined) return { _tag: "NotFound" }
    return { _tag: "Known", providerCallId: providerCallId(ref), reports: provider === "all" ? reports : [] }
  })

  const raised: Array<string> = []
  const look = Effect.gen(function* () {
    for (const body of yield* delivered) {
      const { call, eventType } = decode(body)
      raised.push(`${call.id} ${eventType}`)
    }
    expect(raised).toEqual([...new Set(raised)])
    const all = yield* kept
    const funds = yield* (yield* AccountStore).funds(account.id)
    const open = all.filter(({ status }) => !isTerminal(status))
    expect(funds.reservations).toBe(open.reduce((sum, call) => sum + call.billing.initialCharge, 0))
    return all
  })

  const pass = Effect.fnUntraced(function* (seconds: number) {
    setClock(DateTime.add(yield* DateTime.now, { seconds }))
  })

  for (const { act, isReconciling, seconds, strike, ...step } of steps) {
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
    yield* Crashes.struckBy(strike, [report, isReconciling ? reconciler.runOnce : Effect.void])
    yield* look
  }

  provider = "all"
  const rest = Effect.gen(function* () {
    for (let minutes = 0; minutes < 80; minutes += 2) {
      yield* pass(120)
      yield* reconciler.runOnce
    }
  })
  yield* rest
  const questions = yield* fake.questions
  const now = yield* DateTime.now
  for (const call of yield* look) {
    const told = raised.flatMap((one) => (one.startsWith(`${call.id} `) ? [one.slice(one.indexOf(" ") + 1)] : []))
    expect({ call: call.callId, status: call.status, told: told.toSorted(byName) }).toEqual({
      call: call.callId,
      ...outcomeOf(dialled.get(call.callId) ?? [])
    })
    // Not before 15 seconds have passed, but for the two moments at which a call may be given up.
    const seconds = (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(call.createdAt)) / 1_000
    expect(questions.filter((ref) => ref === call.callId).length).toBeLessThanOrEqual(seconds / 15 + 2)
  }
  yield* rest
  expect((yield* fake.questions).length).toBe(questions.length)
})

/** A call that is never answered, one of which everything is told, and one of which some things never are. */
const history = (kind: number, start: DateTime.Utc): ReadonlyArray<ProviderReport> => {
  const after = (seconds: number) => DateTime.add(start, { seconds })
  const end = { _tag: "Ended" as const, endedAt: after(20), reason: "done" }
  if (kind === 0) return [{ _tag: "Ringing" }, { ...end, status: "no_answer", answeredAt: null }]
  const talk: ReadonlyArray<ProviderReport> = [
    { _tag: "Ringing" },
    { _tag: "Answered", at: after(2) },
    { ...end, status: "completed", answeredAt: after(2) },
    { _tag: "Transcript", text: "Agent: Hello." }
  ]
  if (kind === 1) return talk
  return [
    ...talk,
    { _tag: "Recording", url: "https://recordings.example/1.wav" },
    { _tag: "Summary", text: "They said hello." }
  ]
}

/** How a call ends of which the provider has told all it knows, and what is raised by it. */
const outcomeOf = (reports: ReadonlyArray<ProviderReport>) => {
  const tells = (tag: ProviderReport["_tag"]): boolean => reports.some(({ _tag }) => _tag === tag)
  if (!tells("Answered")) return { status: "no_answer", told: ["call.failed"] }
  return {
    status: "completed",
    told: [
      "call.ended",
      ...(tells("Recording") ? ["call.recording"] : []),
      "call.started",
      ...(tells("Summary") ? ["call.summary"] : []),
      "call.transcript"
    ]
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))
