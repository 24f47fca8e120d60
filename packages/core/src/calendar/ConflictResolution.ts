import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as CalendarEventAudit from "../calendar-event/CalendarEventAudit.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarEvent, CalendarProviderKey, CopyResolution } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"

/** Resolves the conflict of one copy, and returns the calendar event after it. */
export type ResolveConflict = (
  event: CalendarEvent,
  provider: CalendarProviderKey,
  resolution: CopyResolution
) => Effect.Effect<CalendarEvent, StorageError>

/**
 * Returns a function that adds a task to the outbox to resolve the conflict of a copy, and sets the copy to `pending`. It
 * does nothing when there is nothing to resolve (`ExternalStates.isResolvable`). Call it in a transaction that has locked
 * the calendar event.
 */
export const make: Effect.Effect<ResolveConflict, never, AuditStore | CalendarEventStore | Outbox> = Effect.gen(
  function* () {
    const audit = yield* AuditTrail.make
    const events = yield* CalendarEventStore
    const outbox = yield* Outbox
    return Effect.fnUntraced(function* (event, provider, resolution) {
      if (!ExternalStates.isResolvable(event, provider, resolution)) return event
      const pending = ExternalStates.set(event, [provider], "pending", yield* DateTime.now)
      yield* events.update(pending)
      yield* outbox.add(event.accountId, [{ _tag: "SyncEvent", provider, eventId: event.id, resolution }])
      const audited = AuditTrail.auditedOf(CalendarEventAudit.kind, event)
      yield* audit.record("events.resolveCopy", audited, FieldChanges.facts({ provider, resolution }))
      return pending
    })
  }
)
