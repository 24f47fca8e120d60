import type { AccountId } from "@frontdesk/core/access/Account"
import {
  type CalendarEvent,
  type CalendarProviderKey,
  CalendarEventId,
  type ExternalCopy
} from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/**
 * Writes a calendar event and lets a person change its copy. Returns the copy's id and the calendar event after a
 * change of its own.
 */
export const writtenThenEdited = Effect.fnUntraced(function* <R>(
  provider: CalendarProviderKey,
  accountId: AccountId,
  edit: (copyId: string) => Effect.Effect<void, never, R> | undefined
) {
  const event = newEvent(accountId)
  const copy = yield* (yield* CalendarSync).write(provider, event)
  if (copy === null) throw new Error("write returned no copy of a calendar event that was not cancelled")
  yield* edit(copy.id) ?? Effect.void
  const moved = {
    ...event,
    externalCalendars: { [provider]: copy },
    title: "Ours",
    sequence: 1,
    updatedAt: later(event)
  }
  return { copyId: copy.id, moved }
})

/** Returns the calendar event with another title and with this copy. */
export const changed = (
  event: CalendarEvent,
  provider: CalendarProviderKey,
  copy: ExternalCopy | null,
  title: string
): CalendarEvent => ({
  ...event,
  externalCalendars: copy === null ? {} : { [provider]: copy },
  title,
  sequence: event.sequence + 1,
  updatedAt: later(event)
})

/** Returns the instant one second after the last change of the calendar event. */
export const later = (event: CalendarEvent) => DateTime.add(event.updatedAt, { seconds: 1 })

let events = 0

/** Returns a new calendar event of an account. */
export const newEvent = (accountId: AccountId): CalendarEvent => ({
  ...Samples.newCalendarEvent(accountId),
  id: CalendarEventId.make(++events)
})
