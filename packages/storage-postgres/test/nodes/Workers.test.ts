import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import type { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Node from "./Node.ts"

const sync = (event: number): OutboxWork => ({
  _tag: "SyncEvent",
  provider: "google",
  eventId: CalendarEventId.make(event)
})

const tasks = (node: Node.Node) =>
  Effect.map(Node.query(node, "SELECT count(*)::int AS count FROM outbox_task"), ([row]) => row?.["count"])

describe("workers on many nodes", () => {
  it.live.each([
    { accounts: 10, claimed: 7 },
    // One account leaves a quarter of the places free (D-OUT-10).
    { accounts: 1, claimed: 6 }
  ])("concurrent claims of three nodes share no task of $accounts accounts, and each claim is full", (each) =>
    Effect.gen(function* () {
      const nodes = yield* Node.make(3)
      const [first] = nodes
      if (first === undefined) return
      const now = yield* DateTime.now
      const work = Array.from({ length: 300 / each.accounts }, (_, index) => sync(index + 1))
      for (let account = 1; account <= each.accounts; account++)
        yield* Context.get(first, OutboxStore).add(AccountId.make(account), work, now)
      const claims = yield* Effect.forEach(
        Array.from({ length: 12 }, () => nodes).flat(),
        (node) => Context.get(node, OutboxStore).claim(now, DateTime.add(now, { minutes: 1 }), 7),
        { concurrency: "unbounded" }
      )
      const claimedIds = claims.flat().map(({ id }) => id)
      expect(new Set(claimedIds).size).toBe(claimedIds.length)
      expect(claims.map(({ length }) => length)).toEqual(claims.map(() => each.claimed))
      // Each of the 3 nodes makes 12 claims for 7 places.
      expect(claims.length).toBe(36)
    }).pipe(Effect.scoped)
  )

  it.live(
    "a task of a killed node is claimed again when its lease ends or the node restarts, not before (D-PG-22)",
    () =>
      Effect.gen(function* () {
        const [one, two] = yield* Node.make(2)
        if (one === undefined || two === undefined) return
        const now = yield* DateTime.now
        const lease = DateTime.add(now, { minutes: 1 })
        yield* Context.get(one, OutboxStore).add(AccountId.make(1), [sync(1)], now)
        expect(yield* Context.get(one, OutboxStore).claim(now, lease, 1, "node 1")).toHaveLength(1)
        yield* Context.get(two, OutboxWorker).drain
        expect(yield* tasks(two)).toBe(1)
        const restarted = yield* Effect.forkChild(Context.get(one, OutboxWorker).run)
        yield* Effect.repeat(tasks(one), { until: (count) => count === 0 })
        yield* Fiber.interrupt(restarted)

        yield* Context.get(one, OutboxStore).add(AccountId.make(1), [sync(2)], now)
        expect(yield* Context.get(one, OutboxStore).claim(now, lease, 1, "node 3")).toHaveLength(1)
        expect(
          yield* Context.get(two, OutboxStore).claim(DateTime.subtract(lease, { milliseconds: 1 }), lease, 1)
        ).toEqual([])
        expect(yield* Context.get(two, OutboxStore).claim(lease, lease, 1)).toHaveLength(1)
      }).pipe(Effect.scoped)
  )

  it.live("a reminder that several nodes find due at the same time is sent once", () =>
    Effect.gen(function* () {
      const nodes = yield* Node.make(3)
      const [first] = nodes
      if (first === undefined) return
      const count = 60
      yield* addDueReminders(first, count)
      const totals = yield* Effect.forEach(nodes, (node) => Context.get(node, ReminderWorker).runOnce, {
        concurrency: "unbounded"
      })
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(count)
      yield* Effect.forEach(nodes, (node) => Context.get(node, OutboxWorker).drain, { concurrency: "unbounded" })
      const mails = yield* Effect.forEach(nodes, (node) => Context.get(node, FakeMailer).sent)
      const reminders = mails.flat().filter(({ kind }) => kind === "reminder")
      expect(new Set(reminders.map(({ event }) => event.id)).size).toBe(count)
      expect(reminders).toHaveLength(count)
    }).pipe(Effect.scoped)
  )

  it.live("a reminder that one node is sending delays no reminder of another node (D-REM-8)", () =>
    Effect.gen(function* () {
      const [one, two] = yield* Node.make(2)
      if (one === undefined || two === undefined) return
      const count = 5
      yield* addDueReminders(one, count)
      const now = yield* DateTime.now
      const reminders = Context.get(one, ReminderStore)
      const due = yield* reminders.due(now, count)
      const isClaimed = yield* Deferred.make<void>()
      const mayFail = yield* Deferred.make<void>()
      const claimed = yield* Effect.forkChild(
        Context.get(one, Transaction).run(
          Effect.gen(function* () {
            expect(yield* reminders.claim(now, due, false)).toEqual(Option.some(due[0]))
            yield* Deferred.succeed(isClaimed, undefined)
            yield* Deferred.await(mayFail)
            return yield* Effect.fail("a killed node")
          })
        )
      )
      yield* Deferred.await(isClaimed)
      const other = yield* Effect.forkChild(Context.get(two, ReminderWorker).runOnce)
      const sent = Effect.map(
        Node.query(two, "SELECT event_id::int AS id FROM reminder WHERE is_sent ORDER BY due_at, event_id"),
        (rows) => rows.map(({ id }) => id)
      )
      yield* Effect.repeat(sent, { until: ({ length }) => length === count - 1 })
      expect(yield* sent).toEqual(due.slice(1).map(({ eventId }) => eventId))
      // The transaction of the first node ends without a result, and the second node sends this reminder as well.
      yield* Deferred.succeed(mayFail, undefined)
      yield* Fiber.await(claimed)
      expect(yield* Fiber.join(other)).toBe(count)
      expect(yield* sent).toEqual(due.map(({ eventId }) => eventId))
    }).pipe(Effect.scoped)
  )
})

/** Adds calendar events whose reminders have been due for a minute. */
const addDueReminders = Effect.fnUntraced(function* (node: Node.Node, count: number) {
  const account = yield* Effect.provide(Samples.makeAccount(), node)
  const caller = yield* Context.get(node, Accounts).principal(account.id)
  const now = yield* DateTime.now
  for (let index = 0; index < count; index++) {
    const startTime = DateTime.add(now, { minutes: 29 })
    const event = yield* Context.get(node, CalendarEvents)
      .create({
        title: `Event ${index}`,
        startTime: DateTime.formatIso(startTime),
        endTime: DateTime.formatIso(DateTime.add(startTime, { minutes: 30 })),
        isReminderEnabled: true,
        customerEmail: "jo@example.com"
      })
      .pipe(Effect.provideService(Principal, caller))
    yield* Context.get(node, ReminderStore).schedule(event.id, DateTime.subtract(event.startTime, { minutes: 30 }))
  }
})
