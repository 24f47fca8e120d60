import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import {
  type DeadLetteredTask,
  type OutboxTask,
  type OutboxTaskId,
  unreadable
} from "@frontdesk/core/outbox/OutboxTask"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { filterPage, justAfter, mutantsOf } from "./Mutant.ts"

type Store = OutboxStore["Service"]

/** A claim with the tasks that it has dead-lettered as unreadable. */
interface Claimed {
  readonly tasks: ReadonlyArray<OutboxTask>
  readonly dead: ReadonlyArray<DeadLetteredTask>
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
}

/** Returns a mutation that changes a claim which has dead-lettered a task. */
const afterUnreadable =
  (change: (store: Store, claimed: Claimed) => Effect.Effect<ReadonlyArray<OutboxTask>, StorageError>) =>
  (store: Store): Pick<Store, "claim"> => {
    const known = new Set<OutboxTaskId>()
    return {
      claim: Effect.fnUntraced(function* (now, leaseUntil, limit, owner, taken) {
        const tasks = yield* store.claim(now, leaseUntil, limit, owner, taken)
        const { items } = yield* store.deadLettered({}, { page: 1, limit: 1_000 })
        const dead = items.filter(({ error, id }) => error === unreadable && !known.has(id))
        for (const { id } of dead) known.add(id)
        return dead.length === 0 ? tasks : yield* change(store, { tasks, dead, now, leaseUntil })
      })
    }
  }

/** Returns a mutation that shows dead-lettered tasks with other fields. */
const showing =
  (change: (task: DeadLetteredTask) => Partial<DeadLetteredTask>) =>
  (store: Store): Pick<Store, "deadLettered"> => ({
    deadLettered: (filter, page) =>
      Effect.map(store.deadLettered(filter, page), (found) => ({
        ...found,
        items: found.items.map((task) => (task.work === null ? { ...task, ...change(task) } : task))
      }))
  })

/** Returns a mutation in which a filter does not find tasks that cannot be read. */
const notFinding =
  (field: "accountId" | "id" | "tag") =>
  (store: Store): Pick<Store, "deadLettered"> => ({
    deadLettered: (filter, page) =>
      filterPage(store.deadLettered(filter, page), ({ work }) => work !== null || filter[field] === undefined)
  })

/** Mutants of `OutboxStore` for tasks that cannot be read. Only `unreadableTaskSuite` finds them. */
export const unreadableTask = mutantsOf(OutboxStore, {
  "claim fails when a task cannot be read": afterUnreadable(() =>
    Effect.fail(new StorageError({ reason: "corrupt", operation: "OutboxStore.claim", cause: "a mutant" }))
  ),
  "claim returns nothing when a task cannot be read": afterUnreadable((store, { now, tasks }) =>
    Effect.as(
      Effect.forEach(tasks, (task) => store.postpone(task, now)),
      []
    )
  ),
  "claim returns nothing when the first tasks cannot be read": afterUnreadable((store, { dead, now, tasks }) =>
    dead.length < 2
      ? Effect.succeed(tasks)
      : Effect.as(
          Effect.forEach(tasks, (task) => store.postpone(task, now)),
          []
        )
  ),
  "claim does not dead-letter a task that cannot be read": afterUnreadable((store, { dead, leaseUntil, tasks }) =>
    Effect.as(
      Effect.forEach(dead, ({ id }) => store.renew({ id }, null, 1, leaseUntil)),
      tasks
    )
  ),
  "claim deletes a task that cannot be read": afterUnreadable((store, { dead, now, tasks }) =>
    Effect.as(store.sweep(justAfter(now), { rows: dead.length, bytes: Number.MAX_SAFE_INTEGER }), tasks)
  ),
  "claim dead-letters a task that cannot be read with another error": showing(() => ({ error: "invalid" })),
  "claim dead-letters a task that cannot be read a millisecond late": showing(({ deadLetteredAt }) => ({
    deadLetteredAt: justAfter(deadLetteredAt)
  })),
  "claim does not count the claim of a task that cannot be read": showing(() => ({ attempts: 0 })),
  "deadLettered leaves out a task that cannot be read": (store) => ({
    deadLettered: (filter, page) => filterPage(store.deadLettered(filter, page), ({ work }) => work !== null)
  }),
  "deadLettered does not find a task that cannot be read by its account": notFinding("accountId"),
  "deadLettered does not find a task that cannot be read by its kind": notFinding("tag"),
  "deadLettered does not find a task that cannot be read by its id": notFinding("id"),
  "renew leaves a task that cannot be read dead-lettered": (store) => ({
    renew: Effect.fnUntraced(function* (filter, before, limit, dueAt) {
      const { items } = yield* store.deadLettered(filter, { page: 1, limit })
      const readable = items.filter(({ id, work }) => work !== null && (before === null || id < before))
      const steps = yield* Effect.forEach(readable, ({ id }) => store.renew({ id }, null, 1, dueAt))
      return { renewed: steps.flatMap(({ renewed }) => renewed), before: null }
    })
  }),
  "renew deletes a task that cannot be read": (store) => ({
    renew: Effect.fnUntraced(function* (filter, before, limit, dueAt) {
      const { items } = yield* store.deadLettered({}, { page: 1, limit: 1_000 })
      const dead = new Set(items.filter(({ work }) => work === null).map(({ id }) => id))
      const step = yield* store.renew(filter, before, limit, dueAt)
      if (step.renewed.every(({ id }) => !dead.has(id))) return step
      const tasks = yield* store.claim(dueAt, dueAt, step.renewed.length)
      yield* Effect.forEach(tasks, (task) => store.postpone(task, dueAt))
      yield* store.sweep(justAfter(dueAt), { rows: dead.size, bytes: Number.MAX_SAFE_INTEGER })
      return step
    })
  }),
  "sweep keeps tasks that cannot be read": (store) => ({
    sweep: Effect.fnUntraced(function* (before, limit) {
      const { items } = yield* store.deadLettered({}, { page: 1, limit: 1_000 })
      return items.some(({ work }) => work === null) ? 0 : yield* store.sweep(before, limit)
    })
  })
})
