import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import type { DayStatistic } from "@frontdesk/core/statistics/Statistic"
import { maxWaiting, StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as Money from "@frontdesk/core/values/Money"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import { figures, fold, range, stored } from "./StatisticCounts.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

const day = (text: string) => CalendarDate.make(text)

const [first, second] = [day("2026-03-02"), day("2026-03-03")]

const [ada, bob] = [AgentId.make(7), AgentId.make(8)]

const statistic = (date: CalendarDate, agentId: AgentId | null, calls: number): DayStatistic => ({
  day: date,
  agentId,
  figures: figures({ calls })
})

/** Returns a range of days in UTC. */
const days = (startDate: CalendarDate, endDate: CalendarDate) => ({
  startDate,
  endDate,
  from: Samples.at(`${startDate}T00:00:00.000Z`),
  until: DateTime.add(Samples.at(`${endDate}T00:00:00.000Z`), { hours: 24 })
})

/** Verifies a `StatisticStore`. `statisticPartSuite` verifies what other stores append to the statistics. */
export const statisticStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: StatisticStore`, (it) => {
    it.effect("add adds to the sums of a day and an agent, and read returns them by day and by agent", () =>
      Effect.gen(function* () {
        const store = yield* StatisticStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const all = {
          calls: 1,
          answered: 2,
          minutes: 3,
          spend: Money.Money.make(4),
          bookings: 5,
          deliveries: 6,
          failures: 7
        }
        yield* store.add(account.id, [
          { day: first, agentId: ada, figures: all },
          statistic(first, null, 10),
          statistic(second, ada, 20)
        ])
        yield* store.add(account.id, [{ day: first, agentId: ada, figures: { ...all, calls: -3 } }])
        yield* store.add(other.id, [statistic(first, ada, 1_000)])
        const twice = { answered: 4, minutes: 6, spend: 8, bookings: 10, deliveries: 12, failures: 14 }
        expect(yield* stored(account)).toEqual({
          days: { [first]: { calls: 8, ...twice }, [second]: { calls: 20 } },
          agents: { [ada]: { calls: 18, ...twice }, none: { calls: 10 } }
        })
      })
    )

    it.effect("read returns the days from the first to the last, and only those of the agent if one is given", () =>
      Effect.gen(function* () {
        const store = yield* StatisticStore
        const account = yield* Samples.makeAccount()
        yield* store.add(account.id, [
          statistic(day("2026-03-01"), ada, 1),
          statistic(first, ada, 2),
          statistic(first, bob, 4),
          statistic(first, null, 8),
          statistic(second, ada, 16),
          statistic(day("2026-03-04"), ada, 32)
        ])
        expect(yield* stored(account, days(first, second))).toEqual({
          days: { [first]: { calls: 14 }, [second]: { calls: 16 } },
          agents: { [ada]: { calls: 18 }, [bob]: { calls: 4 }, none: { calls: 8 } }
        })
        expect(yield* stored(account, { ...days(first, second), agentId: ada })).toEqual({
          days: { [first]: { calls: 2 }, [second]: { calls: 16 } },
          agents: { [ada]: { calls: 18 } }
        })
      })
    )

    it.effect("read returns the waiting parts from the first second to the last, and only those of the agent", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const agents = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)] as const
        const [one, two] = agents
        const make = (agent: typeof one, text: string) =>
          Samples.makeCall(account.id, agent, { createdAt: Samples.at(text) })
        yield* make(one, "2026-03-01T23:59:59.999Z")
        yield* make(one, "2026-03-02T00:00:00.000Z")
        yield* make(one, "2026-03-03T23:59:59.999Z")
        yield* make(two, "2026-03-03T23:59:59.000Z")
        yield* make(one, "2026-03-04T00:00:00.000Z")
        yield* Samples.makeCalendarEvent(account.id, { createdAt: Samples.at("2026-03-02T12:00:00.000Z") })
        expect(yield* stored(account, days(first, second))).toEqual({
          days: { [first]: { calls: 1, bookings: 1 }, [second]: { calls: 2 } },
          agents: { [one.id]: { calls: 2 }, [two.id]: { calls: 1 }, none: { bookings: 1 } }
        })
        expect(yield* stored(account, { ...days(first, second), agentId: one.id })).toEqual({
          days: { [first]: { calls: 1 }, [second]: { calls: 1 } },
          agents: { [one.id]: { calls: 2 } }
        })
      })
    )

    it.effect(
      "take removes the oldest parts up to the limit, and nextAccount returns the accounts that have parts",
      () =>
        Effect.gen(function* () {
          const { run } = yield* Transaction
          const store = yield* StatisticStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const before = AccountId.make(Math.max(1, account.id - 1))
          const afterBefore = store.nextAccount(account.id === 1 ? null : before)
          // The last part belongs to the earliest time, so that the order of the changes counts.
          for (const minutes of [3, 2, 1]) {
            yield* Samples.makeCalendarEvent(account.id, { createdAt: Samples.later(minutes) })
            yield* Samples.makeCalendarEvent(other.id, { createdAt: Samples.later(minutes) })
          }
          const minutesOf = (id: typeof account.id, limit: number) =>
            Effect.map(run(store.take(id, limit)), (parts) =>
              parts.map(({ agentId, figures: all, second: at }) => {
                expect({ agentId, figures: all }).toEqual({ agentId: null, figures: figures({ bookings: 1 }) })
                return (at - Math.floor(Samples.now.epochMilliseconds / 1_000)) / 60
              })
            )
          expect(yield* afterBefore).toEqual(Option.some(account.id))
          expect(yield* store.nextAccount(account.id)).toEqual(Option.some(other.id))
          expect(yield* store.nextAccount(other.id)).toEqual(Option.none())
          expect(new Set(yield* minutesOf(account.id, 2))).toEqual(new Set([2, 3]))
          expect(yield* stored(account)).toEqual({
            days: { [first]: { bookings: 1 } },
            agents: { none: { bookings: 1 } }
          })
          expect(yield* afterBefore).toEqual(Option.some(account.id))
          expect(yield* minutesOf(account.id, 2)).toEqual([1])
          expect(yield* minutesOf(account.id, 2)).toEqual([])
          expect(yield* stored(account)).toEqual({ days: {}, agents: {} })
          expect(yield* afterBefore).toEqual(Option.some(other.id))
          expect((yield* minutesOf(other.id, 3)).length).toBe(3)
        })
    )

    it.effect("concurrent folds and changes lose no part and count none twice", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const agents = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)] as const
        yield* Effect.forEach(
          Array.from({ length: 40 }),
          (_, index) =>
            Effect.gen(function* () {
              if (index % 2 === 0) return yield* Effect.asVoid(fold(account, 3))
              const agent = agents[index % 4 === 1 ? 0 : 1]
              yield* Samples.makeCall(account.id, agent, { createdAt: Samples.later(60 * index) })
            }),
          { concurrency: "unbounded" }
        )
        const before = yield* stored(account)
        expect(before.agents).toEqual({ [agents[0].id]: { calls: 10 }, [agents[1].id]: { calls: 10 } })
        while ((yield* fold(account, 100)) > 0);
        expect(yield* stored(account)).toEqual(before)
      })
    )

    it.effect(
      "read adds up at most the oldest `maxWaiting` parts, and says when there are more (D-STAT-6)",
      () =>
        Effect.gen(function* () {
          const store = yield* StatisticStore
          const queue = yield* Deliveries.emptyQueue
          const account = yield* Samples.makeAccount()
          const { run } = yield* Transaction
          const subjects = Array.from({ length: maxWaiting / 100 }, (_, index) => `call:${index}`)
          const own = yield* Samples.makeWebhook(account.id)
          const others = yield* run(Effect.forEach(Array.from({ length: 99 }), () => Samples.makeWebhook(account.id)))
          const deliveries = () => [own, ...others].map(({ id: webhookId }) => ({ id: Deliveries.newId(), webhookId }))
          yield* run(Effect.forEach(subjects, (subject) => Deliveries.add(own, subject, { deliveries: deliveries() })))
          let recorded = 0
          while (recorded < maxWaiting) {
            const claimed = yield* Deliveries.claim(1, { limit: 1_000, perWebhook: 1_000 })
            const results = claimed.map((one) => Deliveries.result(one, null))
            recorded += (yield* queue.record(results, Samples.later(1))).recorded.length
          }
          const read = Effect.map(store.read(account.id, range), ({ days: folded, isComplete, waiting }) => ({
            folded: folded.length,
            isComplete,
            deliveries: waiting.reduce((sum, part) => sum + part.figures.deliveries, 0)
          }))
          expect(yield* read).toEqual({ folded: 0, isComplete: true, deliveries: maxWaiting })
          yield* Samples.makeCalendarEvent(account.id)
          expect((yield* read).isComplete).toBe(false)
          expect(yield* fold(account, 1)).toBe(1)
          expect(yield* read).toEqual({ folded: 1, isComplete: true, deliveries: maxWaiting - 1 })
          // So that later tests of the storage find no account with many parts.
          yield* run(store.take(account.id, maxWaiting))
        }),
      120_000
    )
  })
}

/** Verifies what the stores of calls, calendar events and deliveries append to the statistics. */
export const statisticPartSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: parts of the statistics`, (it) => {
    it.effect(
      "a call counts when it is made, answered, ended and charged, and again when that is corrected (D-STAT-1)",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const account = yield* Samples.makeAccount()
          const agent = yield* Samples.makeAgent(account.id)
          const shows = Effect.fnUntraced(function* (expected: Parameters<typeof figures>[0]) {
            const sums = { days: { [first]: expected }, agents: { [agent.id]: expected } }
            expect(yield* stored(account)).toEqual(sums)
          })
          const price = Money.Money.make(50)
          const charge = (status: "pending" | "charged", finalCharge: number) => ({
            status,
            initialCharge: price,
            finalCharge: Money.Money.make(finalCharge),
            pricePerMinute: price
          })
          const queued = yield* Samples.makeCall(account.id, agent, { billing: charge("pending", 0) })
          yield* shows({ calls: 1 })
          const answered = {
            ...queued,
            status: "in_progress" as const,
            startedAt: Samples.later(1),
            reservedMinutes: 2
          }
          yield* calls.update(answered)
          yield* shows({ calls: 1, answered: 1 })
          const endedAt = DateTime.add(Samples.later(1), { milliseconds: 60_999 })
          const ended = { ...answered, status: "completed" as const, endedAt, billing: charge("charged", 0) }
          yield* calls.update(ended)
          yield* shows({ calls: 1, answered: 1, minutes: 1, spend: price })
          yield* calls.update({
            ...ended,
            endedAt: Samples.later(3),
            billing: charge("charged", 50),
            transcript: "Hello"
          })
          yield* shows({ calls: 1, answered: 1, minutes: 2, spend: Money.Money.make(100) })
          yield* calls.update({ ...ended, endedAt: Samples.later(1), billing: charge("charged", -20) })
          yield* shows({ calls: 1, answered: 1, minutes: 1, spend: Money.Money.make(30) })
          yield* calls.update({
            ...ended,
            endedAt: Samples.later(-1),
            startedAt: null,
            billing: charge("charged", -50)
          })
          yield* shows({ calls: 1 })
        })
    )

    it.effect("a change of what does not count appends no part", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const store = yield* StatisticStore
        const calls = yield* CallStore
        const account = yield* Samples.makeAccount()
        const call = yield* Samples.makeCall(account.id, yield* Samples.makeAgent(account.id))
        yield* run(store.take(account.id, 10))
        yield* calls.update({
          ...call,
          status: "ringing",
          summary: "Hello",
          reservedMinutes: 3,
          updatedAt: Samples.later(1)
        })
        const busy = yield* Samples.makeCalendarEvent(account.id, { eventType: "busy" })
        yield* (yield* CalendarEventStore).update({ ...busy, status: "cancelled", title: "Lunch" })
        yield* Deliveries.emptyQueue
        yield* Deliveries.add(yield* Samples.makeWebhook(account.id), "call:1")
        yield* (yield* DeliveryQueue).record(
          (yield* Deliveries.claim(1)).map((one) => Deliveries.result(one, 5)),
          Samples.later(1)
        )
        expect(yield* run(store.take(account.id, 10))).toEqual([])
      })
    )

    it.effect("a calendar event is a booking of the day on which it was made, until it is cancelled (D-STAT-2)", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const agents = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)] as const
        const shows = Effect.fnUntraced(function* (agent: number | "none" | null) {
          const booked = agent === null ? {} : { [agent]: { bookings: 1 } }
          const expected = { days: agent === null ? {} : { [first]: { bookings: 1 } }, agents: booked }
          expect(yield* stored(account)).toEqual(expected)
        })
        const event = yield* Samples.makeCalendarEvent(account.id, {
          startTime: Samples.later(9_000),
          endTime: Samples.later(9_030)
        })
        yield* shows("none")
        yield* events.update({ ...event, startTime: Samples.later(10_000), endTime: Samples.later(10_030) })
        yield* shows("none")
        yield* events.update({ ...event, status: "cancelled" })
        yield* shows(null)
        yield* events.update({ ...event, status: "no_show", aiAgent: agents[0] })
        yield* shows(agents[0].id)
        yield* events.update({ ...event, status: "completed", aiAgent: agents[1] })
        yield* shows(agents[1].id)
        yield* events.update({ ...event, eventType: "busy" })
        yield* shows(null)
      })
    )

    it.effect("a delivery counts on the day of its webhook event, by its state after each result (D-STAT-3)", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const queue = yield* DeliveryQueue
        const account = yield* Samples.makeAccount()
        const webhook = yield* Samples.makeWebhook(account.id)
        const shows = Effect.fnUntraced(function* (expected: Parameters<typeof figures>[0] | null) {
          const sums =
            expected === null ? { days: {}, agents: {} } : { days: { [first]: expected }, agents: { none: expected } }
          expect(yield* stored(account)).toEqual(sums)
        })
        const id = yield* Deliveries.add(webhook, "call:1")
        const record = Effect.fnUntraced(function* (minutes: number, outcome: "delivered" | "retried" | "failed") {
          const [claimed] = yield* Deliveries.claim(minutes)
          if (claimed === undefined) return yield* Effect.die(new Error("nothing is due"))
          const result =
            outcome === "failed"
              ? Deliveries.finalFailure(claimed, null)
              : Deliveries.result(claimed, outcome === "delivered" ? null : minutes + 1)
          yield* queue.record([result], Samples.later(minutes))
        })
        yield* record(2_000, "retried")
        yield* shows(null)
        yield* record(4_000, "failed")
        yield* shows({ failures: 1 })
        yield* store.redeliver(account.id, webhook.id, id, Samples.later(5_000))
        yield* shows(null)
        yield* record(6_000, "delivered")
        yield* shows({ deliveries: 1 })
        yield* store.redeliver(account.id, webhook.id, id, Samples.later(7_000))
        yield* store.cancelOpen(webhook.id)
        yield* shows(null)
      })
    )

    it.effect("records that retention deletes, and deliveries of a deleted webhook, stay counted (D-STAT-5)", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        yield* Samples.makeCall(account.id, agent, { startedAt: Samples.now, endedAt: Samples.later(1) })
        const webhook = yield* Samples.makeWebhook(account.id)
        yield* Deliveries.add(webhook, "call:1")
        yield* (yield* DeliveryQueue).record(
          (yield* Deliveries.claim(1)).map((one) => Deliveries.result(one, null)),
          Samples.later(1)
        )
        const before = yield* stored(account)
        expect(before.days).toEqual({ [first]: { calls: 1, answered: 1, minutes: 1, deliveries: 1 } })
        const calls = yield* CallStore
        yield* Samples.sweepAll(calls, Samples.later(2))
        expect(yield* calls.list(Samples.scopeOf(account), {}, { page: 1, limit: 1 })).toMatchObject({ count: 0 })
        yield* Deliveries.takeAllSteps((after) =>
          store.sweep({ before: Samples.later(2), after, limit: Samples.rowLimit(1_000) })
        )
        expect(yield* store.list(account.id, webhook.id, Option.none(), { page: 1, limit: 1 })).toMatchObject({
          count: 0
        })
        expect(yield* stored(account)).toEqual(before)
      })
    )
  })
}
