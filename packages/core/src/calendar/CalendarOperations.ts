import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as ConnectionAudit from "../external-calendar/ConnectionAudit.ts"
import { AccountId } from "../access/Account.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarEventError.ts"
import { type CalendarEvent, CalendarProviderKey, CopyResolution } from "../calendar-event/CalendarEvent.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as ConflictResolution from "./ConflictResolution.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"

/** The maximum number of tasks that one transaction adds to the outbox. */
const maxTasks = 100

const inputs: Input.Inputs<CalendarOperations["Service"]> = {
  syncAhead: [{ accountId: AccountId }, { provider: CalendarProviderKey }],
  resolveCopy: [
    { accountId: AccountId },
    { key: CalendarEventKey },
    { provider: CalendarProviderKey },
    { resolution: CopyResolution }
  ]
}

/** The operator's use cases of external calendars, for every account. They have no endpoint. */
export class CalendarOperations extends Context.Service<
  CalendarOperations,
  {
    /**
     * Adds a task to the outbox for every event of an account that has not begun, to write the event to an external
     * calendar. Returns the number of events. The operator uses it for events that were created before the calendar was
     * connected, or whose writes were dead-lettered while the calendar could not be used.
     *
     * Repeating it is harmless. Events that were created with `sync_external_calendars: false` are included, because
     * that option is only about the one write. Cancelled events are included, because the answer to a write may have been
     * lost, so that the external calendar has a copy without a stored id.
     */
    readonly syncAhead: (
      accountId: AccountId,
      provider: CalendarProviderKey
    ) => Effect.Effect<number, ValidationError | StorageError>
    /** Does the same as `CalendarEvents.resolveCopy`, for an event that the account owns. */
    readonly resolveCopy: (
      accountId: AccountId,
      key: CalendarEventKey,
      provider: CalendarProviderKey,
      resolution: CopyResolution
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarOperations") {
  /** Needs the calendar events and the outbox of one storage. */
  static readonly layer: Layer.Layer<
    CalendarOperations,
    never,
    AuditStore | CalendarEventStore | Outbox | Transaction
  > = Layer.effect(
    CalendarOperations,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const events = yield* CalendarEventStore
      const outbox = yield* Outbox
      const resolveConflict = yield* ConflictResolution.make
      const transaction = yield* Transaction

      const resolve = Effect.fnUntraced(function* (
        accountId: AccountId,
        key: CalendarEventKey,
        provider: CalendarProviderKey,
        resolution: CopyResolution
      ) {
        const event = yield* events.findForUpdate({ accountId, teamIds: [] }, key)
        if (Option.isNone(event)) return yield* new CalendarEventNotFound({ event: EventKeys.value(key) })
        return yield* resolveConflict(event.value, provider, resolution)
      }, transaction.run)

      return Input.service(CalendarOperations, inputs, {
        syncAhead: Tracing.operation("CalendarOperations.syncAhead")(function* (accountId, provider) {
          const ids = yield* events.idsFrom(accountId, yield* DateTime.now)
          // In small transactions, so that each locks the outbox only shortly. An event that changes meanwhile has a
          // task from its own change.
          for (const part of Arr.chunksOf(ids, maxTasks)) {
            const work = part.map((eventId) => ({ _tag: "SyncEvent" as const, provider, eventId }))
            const facts = FieldChanges.facts({ events: part.length })
            const audited = ConnectionAudit.audited({ accountId, provider })
            yield* transaction.run(
              Effect.andThen(outbox.add(accountId, work), audit.record("externalCalendars.sync", audited, facts))
            )
          }
          yield* outbox.notify
          return ids.length
        }),
        resolveCopy: Tracing.operation("CalendarOperations.resolveCopy")(
          function* (accountId, key, provider, resolution) {
            const event = yield* resolve(accountId, key, provider, resolution)
            return yield* Effect.as(outbox.notify, event)
          }
        )
      })
    })
  )
}
