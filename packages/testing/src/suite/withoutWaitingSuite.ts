import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { Storage, StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/**
 * Verifies which methods of a storage skip what another transaction has locked, instead of waiting for it. Only for a
 * storage whose transactions run concurrently. On any other the tests wait for ever.
 */
export const withoutWaitingSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: methods that do not wait for locks`, (it) => {
    it.effect("record returns the results of a locked webhook in deferred, and records the others", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhooks = yield* WebhookStore
        const [locked, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        yield* Deliveries.add(locked, "call:1")
        yield* Deliveries.add(other, "call:1")
        const claimed = yield* Deliveries.claim(0)
        const keyOf = (webhook: Deliveries.Target) => claimed.find(({ webhookId }) => webhookId === webhook.id)?.key
        const record = queue.record(
          claimed.map((one) => Deliveries.result(one, null)),
          Samples.later(1)
        )
        const recorded = yield* whileLocked(webhooks.findForUpdate(locked.accountId, locked.id), record)
        expect(recorded).toEqual({ recorded: [keyOf(other)], deferred: [keyOf(locked)] })
        expect(yield* record).toEqual({ recorded: [keyOf(locked)], deferred: [] })
      })
    )

    it.effect(
      "lockActive does not wait for another transaction that uses it, or that counts the usage of the agent",
      () =>
        Effect.gen(function* () {
          const { run } = yield* Transaction
          const agents = yield* AgentStore
          const account = yield* Samples.makeAccount()
          const agent = yield* Samples.makeAgent(account.id)
          const lock = run(agents.lockActive(agent.id))
          expect(yield* whileLocked(agents.lockActive(agent.id), lock)).toBe(true)
          expect(yield* whileLocked(agents.addUsage(agent.id, 60), lock)).toBe(true)
        })
    )

    it.effect("take of statistics skips the parts that another transaction has taken", () =>
      Effect.gen(function* () {
        const store = yield* StatisticStore
        const account = yield* Samples.makeAccount()
        for (const minutes of [1, 2, 3]) {
          yield* Samples.makeCalendarEvent(account.id, { createdAt: Samples.later(minutes) })
        }
        const others = yield* whileLocked(store.take(account.id, 2), store.take(account.id, 5))
        expect(others.map(({ second }) => second)).toEqual([Math.floor(Samples.later(3).epochMilliseconds / 1_000)])
        expect(yield* store.take(account.id, 5)).toEqual([])
      })
    )

    it.effect("claim without waiting skips a reminder whose calendar event is locked", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const reminders = yield* ReminderStore
        const account = yield* Samples.makeAccount()
        const [first, second] = [
          { eventId: (yield* Samples.makeCalendarEvent(account.id)).id, dueAt: Samples.now },
          { eventId: (yield* Samples.makeCalendarEvent(account.id)).id, dueAt: Samples.later(1) }
        ]
        for (const { dueAt, eventId } of [first, second]) yield* reminders.schedule(eventId, dueAt)
        const lock = reminders.claim(Samples.later(1), [first], true)
        const claim = (given: ReadonlyArray<typeof first>) => run(reminders.claim(Samples.later(1), given, false))
        expect(yield* whileLocked(lock, claim([first, second]))).toEqual(Option.some(second))
        expect(yield* whileLocked(lock, claim([first]))).toEqual(Option.none())
        expect(yield* claim([first, second])).toEqual(Option.some(first))
      })
    )
  })
}

/** Runs an effect while the transaction of another fiber has a lock. */
const whileLocked = <A, E>(lock: Effect.Effect<unknown, StorageError>, effect: Effect.Effect<A, E, Storage>) =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const [isLocked, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const hold = lock.pipe(
      Effect.andThen(Deferred.succeed(isLocked, undefined)),
      Effect.andThen(Deferred.await(isOver))
    )
    const holder = yield* Effect.forkChild(run(hold))
    yield* Effect.raceFirst(Deferred.await(isLocked), Fiber.join(holder))
    const result = yield* effect
    yield* Deferred.succeed(isOver, undefined)
    yield* Fiber.join(holder)
    return result
  })
