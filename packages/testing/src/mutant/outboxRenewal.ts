import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Effect from "effect/Effect"
import { justBefore, mutantsOf } from "./Mutant.ts"

/** Mutants of `OutboxStore.renew`. */
export const renewal = mutantsOf(OutboxStore, {
  "renew returns the account of the first task for all": (store) => ({
    renew: (filter, before, limit, dueAt) =>
      Effect.map(store.renew(filter, before, limit, dueAt), (step) => ({
        ...step,
        renewed: step.renewed.map((task) => ({ ...task, accountId: step.renewed[0]?.accountId ?? task.accountId }))
      }))
  }),
  "renew ignores the limit": (store) => ({
    renew: (filter, before, _limit, dueAt) => store.renew(filter, before, 1_000, dueAt)
  }),
  "renew ignores `before`": (store) => ({
    renew: (filter, _before, limit, dueAt) => store.renew(filter, null, limit, dueAt)
  }),
  "renew ignores the filter": (store) => ({
    renew: (_filter, before, limit, dueAt) => store.renew({}, before, limit, dueAt)
  }),
  "renew makes tasks due a millisecond early": (store) => ({
    renew: (filter, before, limit, dueAt) => store.renew(filter, before, limit, justBefore(dueAt))
  }),
  "renew returns the oldest task first": (store) => ({
    renew: (filter, before, limit, dueAt) =>
      Effect.map(store.renew(filter, before, limit, dueAt), (step) => ({
        ...step,
        renewed: step.renewed.toReversed()
      }))
  }),
  "renew returns no `before`": (store) => ({
    renew: (filter, before, limit, dueAt) =>
      Effect.map(store.renew(filter, before, limit, dueAt), ({ renewed }) => ({ renewed, before: null }))
  }),
  "renew returns the last renewed task as `before`": (store) => ({
    renew: (filter, before, limit, dueAt) =>
      Effect.map(store.renew(filter, before, limit, dueAt), ({ renewed }) => ({
        renewed,
        before: renewed.length < limit ? null : (renewed.at(-1)?.id ?? null)
      }))
  }),
  "renew examines tasks of the kind alone": (store) => ({
    renew: Effect.fnUntraced(function* (filter, before, limit, dueAt) {
      const { items } = yield* store.deadLettered(filter, { page: 1, limit: 1_000 })
      const asked = items.filter(({ id }) => before === null || id < before).slice(0, limit)
      const steps = yield* Effect.forEach(asked, ({ id }) => store.renew({ id }, null, 1, dueAt))
      const last = asked.length < limit ? undefined : asked.at(-1)
      return { renewed: steps.flatMap(({ renewed }) => renewed), before: last?.id ?? null }
    })
  })
})
