import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { billedMinutes, totalCharge } from "@frontdesk/core/call/Billing"
import { talkSeconds } from "@frontdesk/core/call/Call"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import { InboundCalls } from "@frontdesk/core/call/InboundCalls"
import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { byName, history, outcomeOf } from "./CallHistories.ts"
import * as Crashes from "./Crashes.ts"
import { expect } from "./Expect.ts"
import { addUp } from "./Movements.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import type { SetClock } from "./WallClock.ts"

/**
 * Verifies, on a storage, that an inbound call is stored once (D-CALL-40). Two server processes receive the provider's
 * question who answers it, its reports and the tool calls of its agent, in any order, repeated and at the same time. Stores fail, and processes are
 * killed. The provider repeats a request that was not answered.
 *
 * Each history begins with a new storage, and has several calls.
 */
export const inboundCallsSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: laws of inbound calls with two server processes`,
    "every call is stored once, is charged once, and raises each webhook event once, whatever arrives first",
    storage,
    fc.array(plannedCall, { minLength: 1, maxLength: callsInHistory, size: "max" }),
    play,
    options
  )

/** The maximum number of calls of a history, each with an interleaving of its own. */
const callsInHistory = 10

const points = [
  "CallStore.insert",
  "CallStore.findForUpdate",
  "CallStore.update",
  "AccountStore.changeFunds",
  "AccountStore.lockFunds",
  "DeliveryStore.add",
  "Transaction.run",
  "Transaction.run"
]

/** A request of the provider: when it arrives among all others, at which process, and what fails meanwhile. */
const arrival = fc.record({
  order: fc.nat(),
  node: fc.constantFrom<0 | 1>(0, 1),
  fault: fc.option(Crashes.plannedFault(points), { freq: 8 })
})

const plannedCall = fc.record({
  /** What happens in the call, see `history`. */
  kind: fc.constantFrom(0, 1, 2),
  /** The arrivals of the question who answers the call. None when the number has a fixed assistant. */
  questions: fc.array(arrival, { maxLength: 2 }),
  /** The arrivals of the reports, in two lists, so that each report arrives once or twice. */
  reports: fc.array(arrival, { minLength: 6, maxLength: 6 }),
  repeats: fc.array(arrival, { maxLength: 6 }),
  /** The arrivals of tool calls of the agent. */
  toolCalls: fc.array(arrival, { maxLength: 2 })
})

type PlannedCall = typeof plannedCall extends fc.Arbitrary<infer A> ? A : never

const price = Money.Money.make(Money.scale)

const numbers = { from: PhoneNumber.make("+12025550111"), to: PhoneNumber.make("+12025550100") }

/** A server process with services of its own on the shared storage. */
const node = Effect.map(
  Layer.build(Layer.fresh(Layer.mergeAll(Calls.layer, CallSessions.layer, InboundCalls.layer))),
  (context) => ({
    calls: Context.get(context, Calls),
    inboundCalls: Context.get(context, InboundCalls),
    sessions: Context.get(context, CallSessions)
  })
)

const play = (planned: ReadonlyArray<PlannedCall>, setClock: SetClock) =>
  Effect.gen(function* () {
    const accounts = yield* AccountStore
    const { settings } = Samples.newAccount()
    const account = yield* Samples.makeAccount({
      settings: { ...settings, pricePerMinute: price, maxRunningCalls: 100, inboundContacts: "create" }
    })
    yield* Samples.makeAgent(account.id, { phoneNumber: numbers.to, role: "inbound agent" })
    yield* accounts.changeFunds(account.id, { deposits: Money.times(price, 100) }, Samples.cause)
    yield* Samples.makeWebhook(account.id, {
      subscribedEvents: WebhookEventName.literals.filter((one) => one.startsWith("call.") && one !== "call.tool")
    })
    const nodes = yield* Effect.all([node, node])
    const delivered = yield* Crashes.collectDeliveries
    const start = yield* DateTime.now
    setClock(DateTime.add(start, { seconds: 60 }))
    const refs = new Map<string, Set<string | undefined>>()

    const requests = planned.flatMap(({ kind, questions, repeats, reports, toolCalls }, index) => {
      const providerCallId = `provider-${index}`
      const known = history(kind, start)
      const ask = ({ fault, node, order }: PlannedCall["questions"][number]) => ({
        order,
        fault,
        run: Effect.map(nodes[node].inboundCalls.answer(providerCallId, numbers), (answer) => {
          if (answer._tag === "Refused") expect(answer.reason).toBe("ended")
          else refs.set(providerCallId, (refs.get(providerCallId) ?? new Set()).add(answer.call?.callId))
        })
      })
      const tell = ({ fault, node, order }: PlannedCall["reports"][number], at: number) => {
        const report = known[at % known.length]
        if (report === undefined) return []
        const told = { providerCallId, ref: null, inbound: numbers, report }
        return [{ order, fault, run: nodes[node].calls.applyReport(told) }]
      }
      const use = ({ fault, node, order }: PlannedCall["toolCalls"][number]) => ({
        order,
        fault,
        run: Effect.map(nodes[node].sessions.ofProvider({ providerCallId, ref: null, inbound: numbers }), (session) =>
          expect(Option.isSome(session)).toBe(true)
        )
      })
      return [
        ...questions.map(ask),
        ...toolCalls.map(use),
        ...[...reports.slice(0, known.length), ...repeats].flatMap(tell)
      ]
    })
    const inOrder = requests.toSorted((a, b) => a.order - b.order)
    // Up to four requests at a time. One that failed is repeated after the others, as the provider does.
    for (let at = 0; at < inOrder.length; at += 4) {
      const together = inOrder.slice(at, at + 4)
      const fault = together.find(({ fault }) => fault !== null)?.fault ?? null
      yield* Crashes.runUnderFault(
        fault,
        together.map(({ run }) => run)
      )
      if (fault !== null) for (const { run } of together) yield* run
    }

    const calls = yield* Effect.provideService(
      (yield* Calls).list({}, { page: 1, limit: 100 }),
      Principal,
      ofAccount(account)
    )
    const raised = (yield* delivered).map((body) => decode(body))
    expect(calls.count).toBe(planned.length)
    for (const [index, { kind }] of planned.entries()) {
      const call = calls.items.find((one) => one.providerCallId === `provider-${index}`)
      const { raised: expected, status } = outcomeOf(history(kind, start))
      const names = raised.flatMap((event) => (event.call.id === call?.id ? [event.eventType] : []))
      expect({ status: call?.status, type: call?.type, raised: names.toSorted(byName) }).toEqual({
        status,
        type: "inbound",
        raised: expected
      })
      expect([...(refs.get(`provider-${index}`) ?? [call?.callId])]).toEqual([call?.callId])
    }
    const charge = calls.items.reduce((sum, { billing }) => sum + totalCharge(billing), 0)
    const owed = calls.items.reduce((sum, call) => sum + price * billedMinutes(talkSeconds(call)), 0)
    expect(yield* accounts.funds(account.id)).toMatchObject({ reservations: 0, charges: charge })
    expect(charge).toBe(owed)
    yield* addUp(account.id)
    expect(new Set(calls.items.map(({ contact }) => contact?.id)).size).toBe(1)
  }).pipe(Effect.scoped)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))
