import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type { ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import * as Crashes from "./Crashes.ts"
import * as Deliveries from "./Deliveries.ts"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import { counted, fold, stored } from "./StatisticCounts.ts"
import type { StorageLayer } from "./Storage.ts"

/**
 * Verifies, on a storage, that the statistics of accounts equal a slow count of the records after every step (D-STAT-4):
 * calls with reports and corrections of their charges, calendar events with cancellations and changes of their agent,
 * deliveries, redeliveries and folds, in any order, while stores fail and the process is killed.
 */
export const statisticLawSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: laws of statistics`,
    "the statistics of an account equal a slow count of its records, folded or not",
    storage,
    histories,
    (steps) => play(steps),
    options
  )

const points = [
  "CallStore.insert",
  "CallStore.update",
  "CalendarEventStore.update",
  "StatisticStore.take",
  "StatisticStore.add",
  "StatisticStore.add",
  "Transaction.run",
  "Transaction.run"
]

const zone = fc
  .constantFrom("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns")
  .map(Schema.decodeUnknownSync(TimeZone))

// Times around midnight in the zones, and around a change of the offset in New York.
const instant = fc
  .integer({ min: -12, max: 2_000 })
  .map((quarters) => DateTime.add(Samples.at("2026-03-01T00:00:00.000Z"), { minutes: 15 * quarters, milliseconds: -1 }))

const agent = fc.nat({ max: 2 })

const call = fc.record({
  createdAt: instant,
  agent,
  startedAfter: fc.option(fc.integer({ min: -5, max: 50 })),
  endedAfter: fc.option(fc.integer({ min: -70_500, max: 200_500 })),
  status: fc.constantFrom("pending" as const, "charged" as const, "refunded" as const, "waived" as const),
  initial: fc.nat({ max: 3 }),
  final: fc.integer({ min: -3, max: 5 })
})

const event = fc.record({
  createdAt: instant,
  agent: fc.option(agent),
  eventType: fc.constantFrom("meeting" as const, "appointment" as const, "busy" as const),
  status: fc.constantFrom("scheduled" as const, "cancelled" as const, "completed" as const, "no_show" as const)
})

const which = fc.nat()

const act = fc.oneof(
  fc.record({ _tag: fc.constant("Call" as const), which: fc.option(which, { freq: 2 }), fields: call }),
  fc.record({ _tag: fc.constant("Event" as const), which: fc.option(which, { freq: 2 }), fields: event }),
  fc.record({ _tag: fc.constant("Publish" as const), createdAt: instant }),
  fc.record({
    _tag: fc.constant("Deliver" as const),
    outcomes: fc.array(fc.constantFrom("delivered" as const, "failed" as const, "retried" as const), { minLength: 1 })
  }),
  fc.record({ _tag: fc.constant("Redeliver" as const), which }),
  fc.record({ _tag: fc.constant("Fold" as const), limit: fc.constantFrom(1, 2, 5, 100) }),
  fc.record({ _tag: fc.constant("FoldAll" as const) })
)

/** Acts of two accounts. The other accounts of a history must not change what an account counts. */
const step = fc.record({
  /** The zones of the accounts are those of the first step. */
  zones: fc.tuple(zone, zone),
  account: fc.nat({ max: 1 }),
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  isTransaction: fc.boolean(),
  fault: fc.option(Crashes.plannedFault(points), { freq: 2 })
})

const histories = fc.array(step, { minLength: 3, maxLength: 25, size: "max" })

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

type Act = Step["acts"][number]

/** Makes an account with agents and webhooks, and returns it with what its history knows. */
const makeOwner = Effect.fnUntraced(function* (timeZone: TimeZone) {
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({ settings: { ...settings, timeZone } })
  const agents = yield* Effect.forEach([0, 1, 2], () => Samples.makeAgent(account.id))
  const webhook = yield* Samples.makeWebhook(account.id)
  const deliveries: Array<DeliveryId> = []
  return { account, agents, webhook, deliveries }
})

type Owner = Effect.Success<ReturnType<typeof makeOwner>>

/** Returns an effect that carries out one act for an account. */
const effectOf = Effect.fnUntraced(function* (owner: Owner, act: Act) {
  const { account, agents, deliveries, webhook } = owner
  const scope = Samples.scopeOf(account)
  const pickAgent = (index: number | null) => (index === null ? undefined : agents[index])
  switch (act._tag) {
    case "Call": {
      const { agent: index, createdAt, endedAfter, final, initial, startedAfter, status } = act.fields
      const answeredAt = startedAfter === null ? null : DateTime.add(createdAt, { seconds: startedAfter })
      const fields = {
        createdAt,
        startedAt: answeredAt,
        endedAt: endedAfter === null ? null : DateTime.add(answeredAt ?? createdAt, { milliseconds: endedAfter }),
        billing: {
          status,
          initialCharge: Money.Money.make(initial),
          finalCharge: Money.Money.make(final),
          pricePerMinute: Money.zero
        }
      }
      const calls = yield* CallStore
      const chosen = pickAgent(index)
      if (act.which === null && chosen !== undefined) return yield* Samples.makeCall(account.id, chosen, fields)
      const { items } = yield* calls.list(scope, {}, { page: 1, limit: 100 })
      const before = items[(act.which ?? 0) % items.length]
      return before === undefined ? undefined : yield* calls.update({ ...before, ...fields })
    }
    case "Event": {
      const events = yield* CalendarEventStore
      const { agent: index, ...rest } = act.fields
      const fields = { ...rest, aiAgent: pickAgent(index) ?? null }
      if (act.which === null) return yield* Samples.makeCalendarEvent(account.id, fields)
      const { items } = yield* events.list(scope, {}, { page: 1, limit: 100 })
      const before = items[act.which % items.length]
      return before === undefined ? undefined : yield* events.update({ ...before, ...fields })
    }
    case "Publish": {
      const id = yield* Deliveries.add(webhook, Samples.unique("call"), { createdAt: act.createdAt })
      deliveries.push(id)
      return undefined
    }
    case "Deliver": {
      const claimed = (yield* Deliveries.claim(1_000_000)).filter(({ accountId }) => accountId === account.id)
      const results = claimed.map((one: ClaimedDelivery, index) => {
        const outcome = act.outcomes[index % act.outcomes.length]
        if (outcome === "failed") return Deliveries.finalFailure(one, null)
        return Deliveries.result(one, outcome === "delivered" ? null : 1)
      })
      return yield* (yield* DeliveryQueue).record(results, Samples.later(1))
    }
    case "Redeliver": {
      const id = deliveries[act.which % deliveries.length]
      if (id === undefined) return undefined
      return yield* (yield* DeliveryStore).redeliver(account.id, webhook.id, id, Samples.later(1))
    }
    case "Fold":
      return yield* fold(account, act.limit)
    case "FoldAll":
      while ((yield* fold(account, 100)) > 0);
      return undefined
  }
})

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const { run } = yield* Transaction
  const store = yield* StatisticStore
  const owners = yield* Effect.forEach(steps[0]?.zones ?? [], makeOwner)
  const check = Effect.forEach(
    owners,
    Effect.fnUntraced(function* ({ account, webhook }) {
      expect(yield* stored(account)).toEqual(yield* counted(account, [webhook.id]))
    }),
    { discard: true }
  )
  for (const { account, acts, fault, isTransaction } of steps) {
    const owner = owners[account]
    if (owner === undefined) continue
    const all = acts.map((one) => effectOf(owner, one))
    const inOrder = Effect.all(all, { discard: true })
    yield* Crashes.runUnderFault(fault, isTransaction ? [run(inOrder)] : all)
    yield* check
  }
  // Once all parts are folded, the statistics are the same.
  for (const owner of owners) yield* effectOf(owner, { _tag: "FoldAll" })
  expect(yield* store.nextAccount(null)).toEqual(Option.none())
  yield* check
})
