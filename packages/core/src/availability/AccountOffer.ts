import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AccountSettings } from "../access/Account.ts"
import type { CalendarEvent, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { toInterval } from "../calendar-event/CalendarEventTimes.ts"
import * as Interval from "../values/Interval.ts"
import type { ExternalCalendar } from "./ExternalBusy.ts"
import type { OfferRules } from "./FreeTime.ts"

/** Returns the rules by which an account with these settings offers its time at an instant. */
export const rulesOf = (settings: AccountSettings, now: DateTime.Utc): OfferRules => ({
  timeZone: settings.timeZone,
  workingHours: settings.workingHours,
  dateOverrides: settings.dateOverrides,
  bufferBefore: settings.bufferBeforeMinutes,
  bufferAfter: settings.bufferAfterMinutes,
  notBefore: DateTime.toEpochMillis(now) + settings.minimumNoticeMinutes * 60_000
})

/**
 * Returns the busy times of external calendars without the time of their copies of an event, which is about to be moved.
 * Another entry of an external calendar at that time is lost too, because busy times do not show which entries they come
 * from.
 */
export const busyWithout = (
  calendars: ReadonlyArray<ExternalCalendar>,
  moved: Option.Option<CalendarEvent>
): ReadonlyArray<Interval.Interval> =>
  calendars.flatMap(({ busy, provider }) =>
    Option.match(moved, {
      onNone: () => busy,
      onSome: (event) => (isCopied(event, provider) ? Interval.without(busy, toInterval(event)) : busy)
    })
  )

/**
 * Returns whether an external calendar may be busy because of the copy of an event. The copy of a cancelled event is
 * cancelled too, as soon as it is written.
 */
const isCopied = (event: CalendarEvent, provider: CalendarProviderKey): boolean =>
  event.externalCalendars[provider] !== undefined &&
  !(event.status === "cancelled" && event.externalCalendarsStatus[provider]?.status === "synced")
