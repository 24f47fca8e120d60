import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { CalendarEvent, ExternalCopy } from "../calendar/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar/CalendarEventStore.ts"
import { CalendarSync, type CalendarSyncError } from "../calendar/CalendarSync.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxTask, OutboxWork } from "./OutboxTask.ts"

type SyncEvent = Extract<OutboxWork, { readonly _tag: "SyncEvent" }>

/** Writes an event as it is now to an outside calendar, and completes the task. */
export type CalendarTask = (task: OutboxTask, work: SyncEvent) => Effect.Effect<void, CalendarSyncError | StorageError>

/** Writes through the `CalendarSync` of its context; an event that is gone is not written. */
export const make: Effect.Effect<
  CalendarTask,
  never,
  CalendarEventStore | CalendarSync | Outbox | OutboxStore | Transaction
> = Effect.gen(function* () {
  const calendars = yield* CalendarSync
  const events = yield* CalendarEventStore
  const outbox = yield* Outbox
  const store = yield* OutboxStore
  const transaction = yield* Transaction

  /** Keeps what the outside calendar has of the event; nothing is raised, and `updatedAt` stays. */
  const keepCopy = Effect.fnUntraced(function* (work: SyncEvent, written: CalendarEvent, copy: ExternalCopy | null) {
    const held = yield* events.findForUpdate({ accountId: written.accountId, teamIds: [] }, { id: work.eventId })
    if (Option.isNone(held)) return
    const event = held.value
    if (copy !== null && !Equal.equals(event.externalCalendars[work.provider], copy)) {
      const externalCalendars = { ...event.externalCalendars, [work.provider]: copy }
      yield* events.update({ ...event, externalCalendars })
    }
    // Two tasks of one event may run side by side; whoever wrote what is old by now has it written again.
    if (!isSame(event, written)) yield* outbox.add([work])
  })

  return Effect.fnUntraced(
    function* (task, work) {
      const found = yield* events.findAnywhere({ id: work.eventId })
      if (Option.isNone(found)) return yield* store.complete(task)
      const copy = yield* calendars.write(work.provider, found.value)
      yield* transaction.run(Effect.andThen(keepCopy(work, found.value, copy), store.complete(task)))
    },
    // Another task of the same event was faster: what is to be written is read anew, once.
    Effect.retry({ times: 1, while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict" })
  )
})

/** Whether two states of an event differ in nothing that an outside calendar could show. */
const isSame = (a: CalendarEvent, b: CalendarEvent): boolean =>
  Equal.equals({ ...a, externalCalendars: {} }, { ...b, externalCalendars: {} })
