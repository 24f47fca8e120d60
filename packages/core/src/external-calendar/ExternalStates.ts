import type * as DateTime from "effect/DateTime"
import * as Record from "effect/Record"
import type {
  CalendarEvent,
  CalendarProviderKey,
  CopyResolution,
  ExternalStatus
} from "../calendar-event/CalendarEvent.ts"
import { isConflict } from "../calendar-event/ConflictCounts.ts"

type States = Pick<CalendarEvent, "externalCalendarsStatus">

/** Returns the calendar event with a status of its copy in each given external calendar. */
export const set = <E extends States>(
  event: E,
  providers: ReadonlyArray<CalendarProviderKey>,
  status: ExternalStatus,
  at: DateTime.Utc
): E =>
  providers.length === 0
    ? event
    : {
        ...event,
        externalCalendarsStatus: {
          ...event.externalCalendarsStatus,
          ...Object.fromEntries(providers.map((provider) => [provider, { status, at }]))
        }
      }

/** Returns the calendar event without a status for an external calendar. */
export const remove = <E extends States>(event: E, provider: CalendarProviderKey): E => ({
  ...event,
  externalCalendarsStatus: Record.remove(event.externalCalendarsStatus, provider)
})

/**
 * Returns the calendar event with the status `pending` for its copies in these external calendars. `conflict` and `gone`
 * stay, because only a write of the copy, or a resolution by the owner, ends them (D-EXT-3).
 */
export const wait = <E extends States>(event: E, providers: ReadonlyArray<CalendarProviderKey>, at: DateTime.Utc): E =>
  set(
    event,
    providers.filter((provider) => !isConflict(event.externalCalendarsStatus[provider]?.status)),
    "pending",
    at
  )

/** Returns whether the copy is neither `synced` nor `kept`. Without a status there is nothing to resolve. */
export const isUnresolved = ({ externalCalendarsStatus }: States, provider: CalendarProviderKey): boolean => {
  const status = externalCalendarsStatus[provider]?.status
  return status !== undefined && status !== "synced" && status !== "kept"
}

/**
 * Returns whether a resolution has an effect. A copy whose change the owner has accepted (`kept`) can still be
 * overwritten (D-EXT-6).
 */
export const isResolvable = (event: States, provider: CalendarProviderKey, resolution: CopyResolution): boolean =>
  isUnresolved(event, provider) ||
  (resolution === "overwrite" && event.externalCalendarsStatus[provider]?.status === "kept")

/**
 * Returns the calendar event as an account sees it. External calendars belong to the owner of the event, so team mates
 * see neither the copies nor their states (D-EXT-7).
 */
export const visibleTo = <E extends States & Pick<CalendarEvent, "accountId" | "externalCalendars">>(
  event: E,
  accountId: CalendarEvent["accountId"]
): E => (event.accountId === accountId ? event : { ...event, externalCalendars: {}, externalCalendarsStatus: {} })
