import type { DeadLetteredTask } from "@frontdesk/core/outbox/OutboxTask"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as OutboxTasks from "./OutboxTasks.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how an `OutboxStore` retries dead-lettered tasks. */
export const outboxRenewalSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: OutboxStore, renew`, (it) => {
    it.effect(
      "renew replaces dead-lettered tasks that match its filter, newest first, up to its limit, and no other task",
      () =>
        Effect.gen(function* () {
          const outbox = yield* OutboxTasks.emptyOutbox
          const { mail, others, own, work } = yield* OutboxTasks.addDeadLettered
          const [gone, other, second, first] = (yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items
          const [task] = yield* OutboxTasks.claim(9, 999)
          expect(yield* outbox.renew({ id: task?.id }, null, 9, Samples.now)).toEqual(step())
          const several = yield* outbox.renew({}, null, 2, Samples.now)
          expect(several).toEqual({ renewed: [renewed(gone), renewed(other)], before: other?.id })
          const rest = (yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items
          expect(rest.map((one) => one.work)).toEqual([mail, work[0]])
          const ofOthers = { tag: "SyncEvent", accountId: others.accountId } as const
          expect(yield* outbox.renew(ofOthers, null, 9, Samples.now)).toEqual(step())
          const before = second?.id ?? null
          expect(yield* outbox.renew({ accountId: own }, before, 9, Samples.now)).toEqual(step(first))
          expect(yield* outbox.renew({ id: second?.id }, null, 9, Samples.now)).toEqual(step(second))
          expect((yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items).toEqual([])
        })
    )

    it.effect("a step of renew examines no more than its limit, whatever the kind of the tasks is", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        yield* OutboxTasks.addDeadLettered
        const [gone, other, mail, write] = (yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items
        const retryMails = (before: DeadLetteredTask | undefined) =>
          outbox.renew({ tag: "Notify" }, before?.id ?? null, 2, Samples.now)
        expect(yield* retryMails(undefined)).toEqual({ renewed: [], before: other?.id })
        expect(yield* retryMails(other)).toEqual({ renewed: [renewed(mail)], before: write?.id })
        expect(yield* retryMails(write)).toEqual(step())
        const rest = (yield* outbox.deadLettered({}, { page: 1, limit: 10 })).items
        expect(rest.map(({ id }) => id)).toEqual([gone?.id, other?.id, write?.id])
      })
    )

    it.effect("renew makes new tasks without attempts, due at the given time and in the order of the old ones", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const { gone, mail, others, work } = yield* OutboxTasks.addDeadLettered
        const [task] = yield* OutboxTasks.claim(9, 999)
        const { renewed: old } = yield* outbox.renew({}, null, 9, Samples.later(20))
        expect(yield* outbox.claim(Samples.justBefore(20), Samples.later(21), 20)).toEqual([])
        const next = yield* OutboxTasks.claim(20)
        expect(next.map((one) => [one.work, one.attempts])).toEqual(
          [work[0], mail, others.write, gone].map((one) => [one, 0])
        )
        expect(Math.min(...next.map(({ id }) => id))).toBeGreaterThan(
          Math.max(task?.id ?? 0, ...old.map(({ id }) => id))
        )
      })
    )

    it.effect("renew has no effect when its transaction fails", () =>
      Effect.gen(function* () {
        const outbox = yield* OutboxTasks.emptyOutbox
        const transaction = yield* Transaction
        yield* OutboxTasks.addDeadLettered
        const renew = outbox.renew({}, null, 9, Samples.now)
        yield* transaction.run(Effect.andThen(renew, Effect.fail("no"))).pipe(Effect.flip)
        expect((yield* outbox.deadLettered({}, { page: 1, limit: 1 })).count).toBe(4)
        expect((yield* OutboxTasks.claim(9)).map((task) => task.work)).toEqual([
          OutboxTasks.sync(OutboxTasks.pendingEventId)
        ])
      })
    )
  })
}

/** Returns what `renew` returns of a task. */
const renewed = (task: DeadLetteredTask | undefined) => ({ id: task?.id, accountId: task?.accountId })

/** Returns the result of the last step of `renew`, which has replaced these tasks. */
const step = (...tasks: ReadonlyArray<DeadLetteredTask | undefined>) => ({ renewed: tasks.map(renewed), before: null })
