import { AccountId } from "@frontdesk/core/access/Account"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import type { DeadLetterFilter } from "@frontdesk/core/outbox/OutboxTask"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { expect } from "./Expect.ts"
import * as OutboxTasks from "./OutboxTasks.ts"
import * as Samples from "./Samples.ts"
import type { Storage, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** What the suite must know about a storage. `R` are services of its layer. */
export interface UnreadableTaskSuiteOptions<R> extends SuiteOptions {
  /** Replaces the stored work of all tasks of an account by something that is not the work of a task. */
  readonly damage: (accountId: AccountId) => Effect.Effect<void, never, R>
}

/**
 * Verifies how an `OutboxStore` handles tasks that cannot be read (D-OUT-9). It is not a part of `storageSuite`, because it
 * must damage stored tasks. A storage whose tasks cannot be damaged needs no such test.
 */
export const unreadableTaskSuite = <R, E>(
  name: string,
  storage: Layer.Layer<Storage | R, E>,
  options: UnreadableTaskSuiteOptions<R>
): void => {
  /** Adds a task of each number to the damaged account, and makes them unreadable. Returns the empty outbox with them. */
  const withDamaged = Effect.fnUntraced(function* (...events: ReadonlyArray<number>) {
    const outbox = yield* OutboxTasks.emptyOutbox
    for (const [minutes, event] of events.entries()) {
      yield* outbox.add(damaged, [OutboxTasks.sync(event)], Samples.later(minutes))
    }
    yield* options.damage(damaged)
    return outbox
  })

  layer(storage, options)(`${name}: OutboxStore, tasks that cannot be read`, (it) => {
    it.effect("claim dead-letters a task that cannot be read as unreadable, and returns the other tasks", () =>
      Effect.gen(function* () {
        const outbox = yield* withDamaged(1)
        yield* outbox.add(other, [OutboxTasks.sync(2), OutboxTasks.sync(3)], Samples.now)
        expect(yield* claim(0)).toEqual([OutboxTasks.sync(2), OutboxTasks.sync(3)])
        expect(yield* list({})).toMatchObject([
          {
            work: null,
            eventId: 1,
            accountId: damaged,
            attempts: 1,
            error: "unreadable",
            deadLetteredAt: Samples.now
          }
        ])
        expect(yield* claim(60)).toEqual([OutboxTasks.sync(2), OutboxTasks.sync(3)])
      })
    )

    it.effect("a claim whose longest due tasks cannot be read returns a task that is due later", () =>
      Effect.gen(function* () {
        const outbox = yield* withDamaged(1, 2, 3)
        yield* outbox.add(damaged, [OutboxTasks.sync(4)], Samples.later(9))
        const tasks = yield* outbox.claim(Samples.later(9), Samples.later(10), 1)
        expect(tasks.map(({ work }) => work)).toEqual([OutboxTasks.sync(4)])
        expect((yield* list({})).map(({ eventId }) => Number(eventId))).toEqual([3, 2, 1])
      })
    )

    it.effect("deadLettered finds a task that cannot be read by its account, kind and id", () =>
      Effect.gen(function* () {
        yield* withDamaged(1)
        yield* claim(0)
        const [task] = yield* list({})
        const filters: ReadonlyArray<DeadLetterFilter> = [
          { accountId: damaged },
          { tag: "SyncEvent" },
          { id: task?.id }
        ]
        for (const filter of filters) expect(yield* list(filter)).toEqual([task])
        expect(yield* list({ accountId: other })).toEqual([])
        expect(yield* list({ tag: "Notify" })).toEqual([])
      })
    )

    it.effect("renew keeps the work of tasks that cannot be read, so the next claim dead-letters them again", () =>
      Effect.gen(function* () {
        const outbox = yield* withDamaged(1, 2)
        yield* claim(9)
        const old = (yield* list({})).map(({ id }) => id)
        const { renewed } = yield* outbox.renew({}, null, 9, Samples.later(10))
        expect(renewed.map(({ id }) => id)).toEqual(old)
        expect(yield* list({})).toEqual([])
        expect(yield* claim(10)).toEqual([])
        const again = yield* list({})
        const expected = { work: null, attempts: 1, error: "unreadable", deadLetteredAt: Samples.later(10) }
        expect(again).toMatchObject([
          { ...expected, eventId: 2 },
          { ...expected, eventId: 1 }
        ])
        for (const { id } of again) expect(old).not.toContain(id)
      })
    )

    it.effect("sweep deletes a task that cannot be read like any other", () =>
      Effect.gen(function* () {
        const outbox = yield* withDamaged(1)
        yield* claim(0)
        expect(yield* outbox.sweep(Samples.now, Samples.rowLimit(9))).toBe(0)
        expect(yield* outbox.sweep(Samples.later(1), Samples.rowLimit(9))).toBe(1)
        expect(yield* list({})).toEqual([])
      })
    )
  })
}

const [damaged, other] = [AccountId.make(900_000_003), AccountId.make(900_000_004)]

/** Claims the tasks that are due some minutes after `Samples.now`. Returns their work. */
const claim = (minutes: number) =>
  Effect.gen(function* () {
    const tasks = yield* (yield* OutboxStore).claim(Samples.later(minutes), Samples.later(minutes + 1), 20)
    return tasks.map(({ work }) => work)
  })

const list = (filter: DeadLetterFilter) =>
  Effect.gen(function* () {
    return (yield* (yield* OutboxStore).deadLettered(filter, { page: 1, limit: 20 })).items
  })
