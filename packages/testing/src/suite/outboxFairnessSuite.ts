import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarProviderKey, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { nothingTaken, OutboxStore, type TakenPlaces } from "@frontdesk/core/outbox/OutboxStore"
import { lineKey, lineOf, type OutboxTask, type OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Effect from "effect/Effect"
import * as OutboxTasks from "./OutboxTasks.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how an `OutboxStore` shares the places of a process among accounts and their lines (D-OUT-10). */
export const outboxFairnessSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: the places of accounts in the outbox`, (it) => {
    it.effect(
      "an account whose external calendar hangs leaves places free, and another account gets them at once",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          yield* outbox.add(flooding, tasks(200), Samples.now)
          const first = yield* claim(16)
          expect(first).toHaveLength(8)
          expect(yield* claim(8, first)).toEqual([])
          yield* outbox.add(idle, tasks(1), Samples.later(1))
          expect((yield* claim(8, first)).map(({ accountId }) => accountId)).toEqual([idle])
        })
    )

    it.effect("an account whose external calendar hangs still does its tasks of another line", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(flooding, tasks(200), Samples.now)
        const first = yield* claim(16)
        yield* outbox.add(flooding, tasks(20, "outlook"), Samples.later(1))
        const second = yield* claim(8, first)
        expect(new Set(second.map(({ work }) => lineOf(work)))).toEqual(new Set(["SyncEvent outlook"]))
        expect(second).toHaveLength(4)
      })
    )

    it.effect("a retry of another account that is due gets a place beside a flood that is due longer", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(idle, tasks(1), Samples.now)
        const [task] = yield* outbox.claim(Samples.now, Samples.later(9), 16)
        if (task === undefined) return yield* Effect.die(new Error("claim returned no task"))
        yield* outbox.add(flooding, tasks(200), Samples.now)
        const first = yield* claim(16)
        yield* outbox.retryAt(task, Samples.later(1))
        expect((yield* claim(8, first)).map(({ accountId, attempts }) => [accountId, attempts])).toEqual([[idle, 1]])
      })
    )

    it.effect("the first of a line's tasks that are due is claimed first, also when many are due", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(flooding, tasks(150), Samples.later(1))
        yield* outbox.add(flooding, [syncOf(999)], Samples.now)
        expect((yield* claim(1)).map(({ work }) => work)).toEqual([syncOf(999)])
        expect((yield* claim(1)).map(({ work }) => work)).toEqual([syncOf(1)])
      })
    )

    it.effect("each of many accounts with one due task gets its place in the end, and none gets two", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(flooding, tasks(200), Samples.now)
        const first = yield* claim(16)
        const accounts = Array.from({ length: 300 }, (_, index) => AccountId.make(10_000 + index))
        yield* Effect.forEach(accounts, (accountId) => outbox.add(accountId, tasks(1), Samples.later(1)))
        const claimed: Array<OutboxTask> = []
        for (let some = yield* claim(8, first); some.length > 0; some = yield* claim(8, first)) claimed.push(...some)
        expect(claimed.map(({ accountId }) => accountId).toSorted((a, b) => a - b)).toEqual(accounts)
      })
    )

    it.effect("release and renew make tasks of every account claimable behind a flood", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* outbox.add(idle, tasks(2), Samples.now)
        const [one, other] = yield* outbox.claim(Samples.now, Samples.later(9), 2, "earlier process")
        if (one === undefined || other === undefined) return yield* Effect.die(new Error("claim returned no task"))
        yield* outbox.deadLetter(one, "no such mailbox", Samples.now)
        yield* outbox.add(flooding, tasks(200), Samples.now)
        const first = yield* claim(16)
        yield* outbox.release("earlier process", Samples.later(1))
        expect((yield* claim(8, first)).map(({ id }) => id)).toEqual([other.id])
        yield* outbox.renew({ id: one.id }, null, 1, Samples.later(1))
        expect((yield* claim(8, first)).map(({ accountId, attempts }) => [accountId, attempts])).toEqual([[idle, 0]])
      })
    )
  })
}

const [flooding, idle] = [AccountId.make(900_000_001), AccountId.make(900_000_002)]

const syncOf = (event: number, provider: CalendarProviderKey = "google"): OutboxWork => ({
  _tag: "SyncEvent",
  provider,
  eventId: CalendarEventId.make(event)
})

/** Returns so many writes to an external calendar, each of another calendar event. */
const tasks = (count: number, provider?: CalendarProviderKey): ReadonlyArray<OutboxWork> =>
  Array.from({ length: count }, (_, index) => syncOf(index + 1, provider))

/** Claims tasks that are due a minute after `Samples.now`, while a process with 16 places does others. */
const claim = (limit: number, doing: ReadonlyArray<OutboxTask> = []) =>
  Effect.flatMap(OutboxStore, (outbox) =>
    outbox.claim(Samples.later(1), Samples.later(9), limit, null, { ...takenBy(doing), perLine: 8 })
  )

const takenBy = (doing: ReadonlyArray<OutboxTask>): TakenPlaces => ({
  ...nothingTaken,
  takenByAccount: counts(doing, ({ accountId }) => accountId),
  takenByLine: counts(doing, ({ accountId, work }) => lineKey(accountId, lineOf(work)))
})

const counts = <Key>(doing: ReadonlyArray<OutboxTask>, keyOf: (task: OutboxTask) => Key): ReadonlyMap<Key, number> =>
  new Map([...Map.groupBy(doing, keyOf)].map(([key, { length }]) => [key, length]))
