import type { AccountId } from "@frontdesk/core/access/Account"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { type DeadLetterFilter, eventIdOf, type OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as OutboxTasks from "./OutboxTasks.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

const { addDeadLettered, basicsOf, claim, owner } = OutboxTasks

/** Verifies an `OutboxStore`. */
export const outboxStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: OutboxStore`, (it) => {
    it.effect("claim returns tasks of every kind exactly as add stored them, oldest first", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const account = yield* Samples.makeAccount()
        const event = yield* Samples.makeCalendarEvent(account.id, { title: "Zoë 日本" })
        const basics = basicsOf(event)
        const previous = { title: "日本", startTime: Samples.later(1), location: null }
        const { endTime, location, sequence, title, updatedAt } = event
        const withdrawn = { ...basics, title, endTime, location, sequence, updatedAt }
        const work: ReadonlyArray<OutboxWork> = [
          OutboxTasks.sync(1),
          { _tag: "Notify", notification: { kind: "cancelled", event: basics } },
          { _tag: "Notify", notification: { kind: "updated", event: basics, previous } },
          { _tag: "Notify", notification: { kind: "withdrawn", event: withdrawn } },
          OutboxTasks.sync(2)
        ]
        yield* outbox.add(owner, work, Samples.now)
        yield* outbox.add(owner, [OutboxTasks.sync(3)], Samples.now)
        yield* outbox.add(owner, [], Samples.now)
        const claimed = yield* claim(0)
        expect(claimed.map((task) => task.work)).toEqual([...work, OutboxTasks.sync(3)])
        expect(claimed.map((task) => task.attempts)).toEqual([0, 0, 0, 0, 0, 0])
      })
    )

    it.effect(
      "claim returns a task from the millisecond at which it is due, and again only when its lease has ended",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.now)
          expect(yield* outbox.claim(Samples.at("2026-03-02T09:00:00.122Z"), Samples.later(1), 10)).toEqual([])
          expect(yield* claim(0, 5)).toHaveLength(1)
          expect(yield* claim(4)).toEqual([])
          expect((yield* claim(5)).map((task) => task.attempts)).toEqual([1])
        })
    )

    it.effect("claim returns at most its limit, and concurrent claims never return the same task", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(
          owner,
          Array.from({ length: 20 }, (_, index) => OutboxTasks.sync(index + 1)),
          Samples.now
        )
        const takeThree = outbox.claim(Samples.now, Samples.later(5), 3)
        expect((yield* takeThree).map((task) => task.work)).toEqual([
          OutboxTasks.sync(1),
          OutboxTasks.sync(2),
          OutboxTasks.sync(3)
        ])
        const claimed = yield* Effect.all(
          Array.from({ length: 6 }, () => takeThree),
          { concurrency: "unbounded" }
        )
        const ids = claimed.flat().map((task) => task.id)
        expect(ids).toHaveLength(17)
        expect(new Set(ids).size).toBe(17)
      })
    )

    it.effect("claim returns the longest due task first, whatever the order of insertion", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxStore
        yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.later(5))
        yield* outbox.add(owner, [OutboxTasks.sync(2), OutboxTasks.sync(3)], Samples.now)
        const take = Effect.map(outbox.claim(Samples.later(6), Samples.later(9), 1), (tasks) =>
          tasks.map((task) => task.work)
        )
        expect([yield* take, yield* take, yield* take]).toEqual([
          [OutboxTasks.sync(2)],
          [OutboxTasks.sync(3)],
          [OutboxTasks.sync(1)]
        ])
      })
    )

    it.effect(
      "claim chooses the longest due of new tasks, retries, postponed tasks and ended leases, and returns them by id",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(owner, [1, 2, 3].map(OutboxTasks.sync), Samples.now)
          const [retried, postponed, leased] = yield* outbox.claim(Samples.now, Samples.later(4), 3)
          if (retried === undefined || postponed === undefined || leased === undefined)
            return yield* Effect.die(new Error("claim returned fewer than three tasks"))
          yield* outbox.retryAt(retried, Samples.later(6))
          yield* outbox.postpone(postponed, Samples.later(2))
          for (const [event, minutes] of [
            [4, 7],
            [5, 1],
            [6, 3],
            [7, 5]
          ] as const)
            yield* outbox.add(owner, [OutboxTasks.sync(event)], Samples.later(minutes))
          const take = (limit: number) =>
            Effect.map(outbox.claim(Samples.later(8), Samples.later(9), limit), (tasks) =>
              tasks.map(({ work }) => Number(eventIdOf(work)))
            )
          // The order of their due times is 5, 2, 6, 3, 7, 1, 4.
          expect([yield* take(1), yield* take(3), yield* take(2), yield* take(1)]).toEqual([
            [5],
            [2, 3, 6],
            [1, 7],
            [4]
          ])
        })
    )

    it.effect("claim never returns a task that was completed", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(owner, [OutboxTasks.sync(1), OutboxTasks.sync(2)], Samples.now)
        const [first] = yield* claim(0)
        if (first !== undefined) yield* outbox.complete(first)
        expect((yield* claim(99)).map((task) => task.work)).toEqual([OutboxTasks.sync(2)])
      })
    )

    it.effect(
      "retryAt makes a task due at the given time, before or after the end of its lease, and counts the attempt",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.now)
          const [first] = yield* claim(0, 10)
          if (first !== undefined) yield* outbox.retryAt(first, Samples.later(2))
          const [again] = yield* claim(2, 10)
          expect(again?.id).toBe(first?.id)
          if (again !== undefined) yield* outbox.retryAt(again, Samples.later(30))
          expect(yield* claim(29)).toEqual([])
          expect((yield* claim(30)).map((task) => task.attempts)).toEqual([2])
        })
    )

    it.effect("postpone makes a task due at the given time and does not count the attempt", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.now)
        const [first] = yield* claim(0)
        if (first === undefined) return yield* Effect.die(new Error("claim returned no task"))
        yield* outbox.retryAt(first, Samples.later(1))
        const [second] = yield* claim(1, 10)
        if (second === undefined) return yield* Effect.die(new Error("claim returned no task"))
        yield* outbox.postpone(second, Samples.later(3))
        expect(yield* outbox.claim(Samples.justBefore(3), Samples.later(4), 20)).toEqual([])
        expect(yield* claim(3)).toEqual([second])
      })
    )

    it.effect("claim never returns a task that was dead-lettered", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.now)
        const [task] = yield* claim(0)
        if (task !== undefined) yield* outbox.deadLetter(task, "unauthorized: Zoë's token ' expired", Samples.now)
        expect(yield* claim(10_000)).toEqual([])
      })
    )

    it.effect(
      "deadLettered lists dead-lettered tasks, newest first, with calendar event, account, error and time",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          const { gone, mail, others, own, work } = yield* addDeadLettered
          const page = (yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items
          const rows: ReadonlyArray<readonly [OutboxWork, AccountId]> = [
            [gone, owner],
            [others.write, others.accountId],
            [mail, own],
            [work[0], own]
          ]
          expect(page).toMatchObject(
            rows.map(([one, accountId], index) => ({
              work: one,
              eventId: eventIdOf(one),
              accountId,
              attempts: 1,
              error: `reason ${4 - index}`,
              deadLetteredAt: Samples.later(3 - index)
            }))
          )
          expect(page.map(({ id }) => id)).toEqual(page.map(({ id }) => id).toSorted((a, b) => b - a))
        })
    )

    it.effect("deadLettered pages its list and filters by account, kind and id", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const { mail, own, work } = yield* addDeadLettered
        const list = (filter: DeadLetterFilter, page = { page: 1, limit: 10 }) =>
          Effect.map(outbox.deadLettered(filter, page), ({ count, items }) => [count, items.map((task) => task.work)])
        expect(yield* list({}, { page: 2, limit: 3 })).toEqual([4, [work[0]]])
        expect(yield* list({}, { page: 3, limit: 3 })).toEqual([4, []])
        expect(yield* list({ accountId: own })).toEqual([2, [mail, work[0]]])
        expect(yield* list({ tag: "Notify" })).toEqual([1, [mail]])
        expect(yield* list({ accountId: own, tag: "SyncEvent" })).toEqual([1, [work[0]]])
        const [task] = (yield* outbox.deadLettered({ tag: "Notify" }, { page: 1, limit: 1 })).items
        expect(yield* list({ id: task?.id })).toEqual([1, [mail]])
      })
    )

    it.effect("count returns the waiting tasks, and the dead-lettered ones by tag, up to the maximum", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const { own } = yield* addDeadLettered
        const { waiting } = yield* outbox.count(9)
        yield* outbox.add(own, [OutboxTasks.sync(1), OutboxTasks.sync(2)], Samples.later(60))
        const deadLettered = new Map(Object.entries({ Notify: 1, SyncEvent: 3 }))
        expect(yield* outbox.count(9)).toEqual({ waiting: waiting + 2, deadLettered })
        const few = yield* outbox.count(1)
        expect([few.waiting, [...few.deadLettered.values()]]).toEqual([1, [1]])
      })
    )

    it.effect("complete, retryAt, postpone and deadLetter of a stale claim have no effect", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(owner, [OutboxTasks.sync(1)], Samples.now)
        const [late] = yield* claim(0, 1)
        const [leased] = yield* claim(1, 10)
        if (late === undefined || leased === undefined) return yield* Effect.die(new Error("claim returned no task"))
        expect(yield* outbox.deadLetter(late, "late", Samples.later(1))).toBe(false)
        yield* outbox.retryAt(late, Samples.later(2))
        yield* outbox.postpone(late, Samples.later(2))
        yield* outbox.complete(late)
        expect(yield* claim(10)).toEqual([])
        const [valid] = yield* claim(11)
        expect(valid?.attempts).toBe(2)
        if (valid !== undefined) expect(yield* outbox.deadLetter(valid, "late", Samples.later(11))).toBe(true)
      })
    )

    it.effect(
      "release makes the tasks that an owner has claimed due at once, except those it has retried or dead-lettered",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(owner, [1, 2, 3, 4, 5].map(OutboxTasks.sync), Samples.now)
          const [retried, deadLettered] = yield* outbox.claim(Samples.now, Samples.later(5), 3, "one")
          yield* outbox.claim(Samples.now, Samples.later(5), 1, "other")
          // This task has no owner, so that no release makes it due.
          yield* outbox.claim(Samples.now, Samples.later(5), 1)
          if (retried !== undefined) yield* outbox.retryAt(retried, Samples.later(3))
          if (deadLettered !== undefined) yield* outbox.deadLetter(deadLettered, "no such mailbox", Samples.now)
          expect(yield* outbox.release("unknown owner", Samples.later(1))).toBe(0)
          expect(yield* outbox.release("one", Samples.later(1))).toBe(1)
          expect((yield* claim(1, 10)).map((task) => task.work)).toEqual([OutboxTasks.sync(3)])
          expect((yield* claim(5)).map((task) => task.work)).toEqual([1, 4, 5].map(OutboxTasks.sync))
        })
    )

    it.effect(
      "sweep deletes tasks that were dead-lettered before an instant, up to its limits of rows and bytes, but always one",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(
            owner,
            [OutboxTasks.sync(1), OutboxTasks.sync(2), OutboxTasks.sync(3), OutboxTasks.sync(4)],
            Samples.now
          )
          const claimed = yield* outbox.claim(Samples.now, Samples.later(9), 3)
          yield* Effect.forEach(claimed, (task) => outbox.deadLetter(task, "no such mailbox", Samples.later(1)))
          expect(yield* outbox.sweep(Samples.later(1), Samples.rowLimit(10))).toBe(0)
          expect(yield* outbox.sweep(Samples.later(2), { rows: 10, bytes: 1 })).toBe(1)
          expect(yield* outbox.sweep(Samples.later(2), Samples.rowLimit(1))).toBe(1)
          expect(yield* outbox.sweep(Samples.later(2), Samples.rowLimit(2))).toBe(1)
          expect(yield* outbox.sweep(Samples.later(2), Samples.rowLimit(2))).toBe(0)
          expect((yield* claim(0)).map((task) => task.work)).toEqual([OutboxTasks.sync(4)])
        })
    )

    it.effect("claim returns no task that was added in a transaction that failed", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const transaction = yield* Transaction
        yield* transaction
          .run(Effect.andThen(outbox.add(owner, [OutboxTasks.sync(1)], Samples.now), Effect.fail("no")))
          .pipe(Effect.flip)
        expect(yield* claim(10)).toEqual([])
      })
    )
  })
}
