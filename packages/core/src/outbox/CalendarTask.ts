import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { CalendarEvent, ExternalCopy } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarSync, type CalendarSyncError } from "../external-calendar/CalendarSync.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as LogEvent from "../values/LogEvent.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxTask, OutboxWork } from "./OutboxTask.ts"

type SyncEvent = Extract<OutboxWork, { readonly _tag: "SyncEvent" }>

/** A function that writes a calendar event as it is now to an external calendar, and completes the task. */
export type CalendarTask = (task: OutboxTask, work: SyncEvent) => Effect.Effect<void, CalendarSyncError | StorageError>

/** Makes the function over the `CalendarSync` of the context. A task of a deleted event completes without a write. */
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

  const lock = ({ accountId, id }: CalendarEvent) => events.findForUpdate({ accountId, teamIds: [] }, { id })

  /** Stores the copy that the external calendar has. This raises no webhook event and leaves `updatedAt` as it is. */
  const storeCopy = Effect.fnUntraced(function* (work: SyncEvent, written: CalendarEvent, copy: ExternalCopy | null) {
    const locked = yield* lock(written)
    if (Option.isNone(locked)) return
    const event = locked.value
    const isCurrent = isSame(event, written)
    const stored =
      copy === null ? event : { ...event, externalCalendars: { ...event.externalCalendars, [work.provider]: copy } }
    const status = copy?.isKept === true ? "kept" : "synced"
    // A calendar without a copy has no status. An event that was cancelled before its first write has no copy.
    const isKnown = event.externalCalendars[work.provider] !== undefined || copy !== null
    const changed = !isCurrent
      ? stored
      : isKnown
        ? ExternalStates.set(stored, [work.provider], status, yield* DateTime.now)
        : ExternalStates.remove(stored, work.provider)
    if (!Equal.equals(changed, event)) yield* events.update(changed)
    // Two tasks of one event may run at the same time. The one that wrote an outdated state adds a task for the current
    // state (D-OUT-4).
    if (!isCurrent) {
      yield* outbox.add(event.accountId, [{ _tag: "SyncEvent", provider: work.provider, eventId: work.eventId }])
    }
  })

  /**
   * Stores that a person has changed or deleted the copy, and logs a warning once until the conflict is resolved
   * (D-EXT-3).
   */
  const storeConflict = Effect.fnUntraced(function* (
    { provider }: SyncEvent,
    written: CalendarEvent,
    status: "conflict" | "gone"
  ) {
    const locked = yield* lock(written)
    if (Option.isNone(locked)) return
    if (locked.value.externalCalendarsStatus[provider]?.status === status) return
    yield* events.update(ExternalStates.set(locked.value, [provider], status, yield* DateTime.now))
    yield* Effect.logWarning(conflictMessages[status], { event: written.id, provider }).pipe(
      LogEvent.annotate("calendar.conflict")
    )
  })

  return Effect.fnUntraced(
    function* (task, work) {
      const found = yield* events.findAnywhere({ id: work.eventId })
      if (Option.isNone(found)) return yield* store.complete(task)
      const event = found.value
      const storeResult = yield* calendars.write(work.provider, event, work.resolution).pipe(
        Effect.map((copy) => storeCopy(work, event, copy)),
        Effect.catchIf(
          (error) => error._tag === "CalendarSyncError" && error.isByHand,
          ({ reason }) => Effect.succeed(storeConflict(work, event, reason === "gone" ? "gone" : "conflict"))
        )
      )
      yield* transaction.run(Effect.andThen(storeResult, store.complete(task)))
    },
    // On this error, another task of the same event wrote first. The retry reads the event again.
    Effect.retry({ times: 1, while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict" })
  )
})

/** Makes a function that stores on an event that its write to an external calendar was dead-lettered. */
export const makeFailed: Effect.Effect<
  (work: SyncEvent) => Effect.Effect<void, StorageError>,
  never,
  CalendarEventStore
> = Effect.gen(function* () {
  const events = yield* CalendarEventStore
  return Effect.fnUntraced(function* ({ eventId, provider }) {
    const found = yield* events.findAnywhere({ id: eventId })
    if (Option.isNone(found)) return
    const locked = yield* events.findForUpdate({ accountId: found.value.accountId, teamIds: [] }, { id: eventId })
    if (Option.isNone(locked)) return
    // A later task may have written the event since, or found a conflict. Its status must stay.
    const status = locked.value.externalCalendarsStatus[provider]?.status ?? "pending"
    if (status !== "pending") return
    yield* events.update(ExternalStates.set(locked.value, [provider], "failed", yield* DateTime.now))
  })
})

const remedy =
  'It is not written there until the conflict is resolved with "frontdesk calendars resolve" or through the API'

const conflictMessages = {
  conflict: `A person has changed a calendar event in an external calendar. ${remedy}`,
  gone: `A person has deleted a calendar event in an external calendar. ${remedy}`
}

/** Returns whether two states of an event differ at most in copies, their statuses and the invitation. */
const isSame = (a: CalendarEvent, b: CalendarEvent): boolean =>
  Equal.equals(
    { ...a, externalCalendars: {}, externalCalendarsStatus: {}, invitation: null },
    { ...b, externalCalendars: {}, externalCalendarsStatus: {}, invitation: null }
  )
