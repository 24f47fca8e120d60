import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { DeadLetterFilter, OutboxTaskId } from "./OutboxTask.ts"

/** Makes the function that makes dead-lettered tasks due at once, and notifies the worker. See `OutboxStore.renew`. */
export const make = Effect.gen(function* () {
  const outbox = yield* Outbox
  const store = yield* OutboxStore
  return Effect.fnUntraced(function* (filter: DeadLetterFilter, before: OutboxTaskId | null, limit: number) {
    const renewed = yield* store.renew(filter, before, limit, yield* DateTime.now)
    if (renewed.length > 0) yield* outbox.notify
    return renewed
  })
})
