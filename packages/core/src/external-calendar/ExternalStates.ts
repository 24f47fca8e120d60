import type * as DateTime from "effect/DateTime"
import * as Record from "effect/Record"
import type {
  CalendarEvent,
  CalendarProviderKey,
  CopyResolution,
  ExternalStatus
} from "../calendar-event/CalendarEvent.ts"

type States = Pick<CalendarEvent, "externalCalendarsStatus">

/** Returns the event with a status in each of these external calendars. */
export const set = <E extends States>(
  event: E,
  providers: ReadonlyArray<CalendarProviderKey>,
  status: ExternalStatus,
  at: DateTime.Utc
): E => ({
  ...event,
  externalCalendarsStatus: {
    ...event.externalCalendarsStatus,
    ...Object.fromEntries(providers.map((provider) => [provider, { status, at }]))
  }
})

/** Returns the event without a status in an external calendar. */
export const remove = <E extends States>(event: E, provider: CalendarProviderKey): E => ({
  ...event,
  externalCalendarsStatus: Record.remove(event.externalCalendarsStatus, provider)
})

/**
 * Returns a changed event as it waits to be written to these external calendars. A conflict, and a deletion, stay what
 * they are until a write or a resolution has ended them.
 */
export const wait = <E extends States>(event: E, providers: ReadonlyArray<CalendarProviderKey>, at: DateTime.Utc): E =>
  set(
    event,
    providers.filter((provider) => !isByHand(event.externalCalendarsStatus[provider]?.status)),
    "pending",
    at
  )

/** Whether there is something to resolve: the copy is not known to be as the event, or as it was accepted. */
export const isUnresolved = ({ externalCalendarsStatus }: States, provider: CalendarProviderKey): boolean => {
  const status = externalCalendarsStatus[provider]?.status
  return status !== undefined && status !== "synced" && status !== "kept"
}

/**
 * Whether a resolution has something to do. What was accepted can still be overwritten: a deleted copy is made again, and
 * a changed one is written as the event is.
 */
export const isResolvable = (event: States, provider: CalendarProviderKey, resolution: CopyResolution): boolean =>
  isUnresolved(event, provider) ||
  (resolution === "overwrite" && event.externalCalendarsStatus[provider]?.status === "kept")

/**
 * Returns the event as an account sees it. External calendars belong to the account that owns the event: its team mates
 * see neither its copies there nor how it stands.
 */
export const visibleTo = <E extends States & Pick<CalendarEvent, "accountId" | "externalCalendars">>(
  event: E,
  accountId: CalendarEvent["accountId"]
): E => (event.accountId === accountId ? event : { ...event, externalCalendars: {}, externalCalendarsStatus: {} })

const isByHand = (status: ExternalStatus | undefined): boolean => status === "conflict" || status === "gone"
