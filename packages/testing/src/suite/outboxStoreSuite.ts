import { EventId } from "@frontdesk/core/calendar/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import type { OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `OutboxStore` promises. */
export const outboxStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: OutboxStore`, (it) => {
    it.effect("tasks of every kind are claimed as they were added, the oldest first", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        const account = yield* Samples.makeAccount()
        const { id, name: agentName, assistantId } = yield* Samples.makeAgent(account.id)
        const team = yield* Samples.makeTeam()
        const event = yield* Samples.makeEvent(account.id, {
          title: "Zoë 日本",
          aiAgent: { id, name: agentName, assistantId },
          team,
          externalCalendars: { google: { id: "1", revision: null } }
        })
        const work: ReadonlyArray<OutboxWork> = [
          sync(1),
          { _tag: "Notify", notification: { kind: "cancelled", event } },
          sync(2)
        ]
        yield* outbox.add(work, Samples.now)
        yield* outbox.add([sync(3)], Samples.now)
        yield* outbox.add([], Samples.now)
        const claimed = yield* claim(0)
        expect(claimed.map((task) => task.work)).toEqual([...work, sync(3)])
        expect(claimed.map((task) => task.attempts)).toEqual([0, 0, 0, 0])
      })
    )

    it.effect("a task is due from its time on and belongs to one claimer until its lease ends", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1)], Samples.now)
        expect(yield* outbox.claim(Samples.at("2026-03-02T09:00:00.122Z"), Samples.later(1), 10)).toEqual([])
        expect(yield* claim(0, 5)).toHaveLength(1)
        expect(yield* claim(4)).toEqual([])
        expect((yield* claim(5)).map((task) => task.attempts)).toEqual([1])
      })
    )

    it.effect("no more are claimed than asked, and claimers at once never get the same task", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add(
          Array.from({ length: 20 }, (_, index) => sync(index + 1)),
          Samples.now
        )
        const takeThree = outbox.claim(Samples.now, Samples.later(5), 3)
        expect((yield* takeThree).map((task) => task.work)).toEqual([sync(1), sync(2), sync(3)])
        const claimed = yield* Effect.all(
          Array.from({ length: 6 }, () => takeThree),
          { concurrency: "unbounded" }
        )
        const ids = claimed.flat().map((task) => task.id)
        expect(ids).toHaveLength(17)
        expect(new Set(ids).size).toBe(17)
      })
    )

    it.effect("a completed task is gone", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1), sync(2)], Samples.now)
        const [first] = yield* claim(0)
        if (first !== undefined) yield* outbox.complete(first)
        expect((yield* claim(99)).map((task) => task.work)).toEqual([sync(2)])
      })
    )

    it.effect("a postponed task is due at its new time, earlier than its lease or later", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1)], Samples.now)
        const [first] = yield* claim(0, 10)
        if (first !== undefined) yield* outbox.postpone(first, Samples.later(2))
        const [again] = yield* claim(2, 10)
        expect(again?.id).toBe(first?.id)
        if (again !== undefined) yield* outbox.postpone(again, Samples.later(30))
        expect(yield* claim(29)).toEqual([])
        expect((yield* claim(30)).map((task) => task.attempts)).toEqual([2])
      })
    )

    it.effect("an abandoned task is never claimed again", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1)], Samples.now)
        const [task] = yield* claim(0)
        if (task !== undefined) yield* outbox.abandon(task, "unauthorized: Zoë's token ' expired")
        expect(yield* claim(10_000)).toEqual([])
      })
    )

    it.effect("who writes of a task that was taken again since changes nothing", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1)], Samples.now)
        const [late] = yield* claim(0, 1)
        const [held] = yield* claim(1, 10)
        if (late === undefined || held === undefined) return yield* Effect.die(new Error("nothing was claimed"))
        yield* outbox.abandon(late, "late")
        yield* outbox.postpone(late, Samples.later(2))
        yield* outbox.complete(late)
        expect(yield* claim(10)).toEqual([])
        expect((yield* claim(11)).map((task) => task.attempts)).toEqual([2])
      })
    )

    it.effect("what an owner holds is released, and neither what others hold nor what it has put back", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1), sync(2), sync(3), sync(4)], Samples.now)
        const [postponed, aside] = yield* outbox.claim(Samples.now, Samples.later(5), 3, "one")
        yield* outbox.claim(Samples.now, Samples.later(5), 1, "other")
        if (postponed !== undefined) yield* outbox.postpone(postponed, Samples.later(3))
        if (aside !== undefined) yield* outbox.abandon(aside, "no such mailbox")
        expect(yield* outbox.release("nobody", Samples.later(1))).toBe(0)
        expect(yield* outbox.release("one", Samples.later(1))).toBe(1)
        expect((yield* claim(1, 10)).map((task) => task.work)).toEqual([sync(3)])
        expect((yield* claim(5)).map((task) => task.work)).toEqual([sync(1), sync(4)])
      })
    )

    it.effect("only what was set aside is swept, once its lease has ended before the instant, no more than asked", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        yield* outbox.add([sync(1), sync(2), sync(3), sync(4)], Samples.now)
        const aside = yield* outbox.claim(Samples.now, Samples.later(1), 3)
        yield* Effect.forEach(aside, (task) => outbox.abandon(task, "no such mailbox"))
        expect(yield* outbox.sweep(Samples.later(1), 10)).toBe(0)
        expect(yield* outbox.sweep(Samples.later(2), 2)).toBe(2)
        expect(yield* outbox.sweep(Samples.later(2), 2)).toBe(1)
        expect(yield* outbox.sweep(Samples.later(2), 2)).toBe(0)
        expect((yield* claim(0)).map((task) => task.work)).toEqual([sync(4)])
      })
    )

    it.effect("tasks of a transaction that fails are never done", () =>
      Effect.gen(function* () {
        const outbox = yield* empty
        const transaction = yield* Transaction
        yield* transaction.run(Effect.andThen(outbox.add([sync(1)], Samples.now), Effect.fail("no"))).pipe(Effect.flip)
        expect(yield* claim(10)).toEqual([])
      })
    )
  })
}

/** The outbox, with nothing in it that another test has left. */
const empty = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const rest = outbox.claim(farAway, farAway, 1_000)
  for (let tasks = yield* rest; tasks.length > 0; tasks = yield* rest) {
    yield* Effect.forEach(tasks, outbox.complete, { discard: true })
  }
  while ((yield* outbox.sweep(farAway, 1_000)) > 0);
  return outbox
})

const farAway = Samples.at("2200-01-01T00:00:00.000Z")

const sync = (event: number): OutboxWork => ({ _tag: "SyncEvent", provider: "google", eventId: EventId.make(event) })

const claim = (minutes: number, leaseMinutes = 1) =>
  Effect.flatMap(OutboxStore, (outbox) =>
    outbox.claim(Samples.later(minutes), Samples.later(minutes + leaseMinutes), 1_000)
  )
