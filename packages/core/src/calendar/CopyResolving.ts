import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarEvent, CalendarProviderKey, CopyResolution } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"

/** Has a copy resolved; returns the event as it then is. Called in a transaction that has locked the event. */
export type ResolveCopy = (
  event: CalendarEvent,
  provider: CalendarProviderKey,
  resolution: CopyResolution
) => Effect.Effect<CalendarEvent, StorageError>

/** Leaves the work to the outbox. Where there is nothing to resolve, nothing is done. */
export const make: Effect.Effect<ResolveCopy, never, CalendarEventStore | Outbox> = Effect.gen(function* () {
  const events = yield* CalendarEventStore
  const outbox = yield* Outbox
  return Effect.fnUntraced(function* (event, provider, resolution) {
    if (!ExternalStates.isResolvable(event, provider, resolution)) return event
    const pending = ExternalStates.set(event, [provider], "pending", yield* DateTime.now)
    yield* events.update(pending)
    yield* outbox.add([{ _tag: "SyncEvent", provider, eventId: event.id, resolution }])
    return pending
  })
})
