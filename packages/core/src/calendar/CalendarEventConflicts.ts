import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import * as BusyTimes from "../availability/BusyTimes.ts"
import { SlotUnavailable } from "../calendar-event/CalendarEventError.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import type { PutCalendarEvent } from "../calendar-event/CalendarEventInput.ts"
import * as CalendarEventTimes from "../calendar-event/CalendarEventTimes.ts"
import { blocks } from "../calendar-event/CalendarEventStatus.ts"

type Changed = Omit<CalendarEvent, "id">

/**
 * Checks that a calendar event may take up its time when it is changed, or created (before is null). Call it in the
 * transaction of the change.
 */
export type RequireTime = (
  before: CalendarEvent | null,
  after: Changed
) => Effect.Effect<void, SlotUnavailable | StorageError, Principal>

/** Returns whether a change makes a calendar event block a time that it did not block before. */
const blocksNewTime = (before: CalendarEvent | null, after: Changed): boolean =>
  blocks(after.status) && (before === null || !blocks(before.status) || CalendarEventTimes.isMoved(before, after))

/** Returns the check of an event by a check of its times, which runs only when the event blocks a new time. */
export const ofTimes =
  (requireTimes: (times: CalendarEventTimes.CalendarEventTimes) => ReturnType<RequireTime>): RequireTime =>
  (before, after) =>
    blocksNewTime(before, after) ? requireTimes(after) : Effect.void

/**
 * Returns the check that a new or changed calendar event overlaps neither another one that blocks its time nor a slot hold
 * of another holder (D-CAL-9, D-CAL-10). The check runs only with `reject_conflicts`, and only when the event blocks a new time.
 *
 * For an overlap the check fails with `SlotUnavailable`. Call it in the transaction of the change. It locks the calendar
 * until that transaction ends, so that only one of two concurrent callers gets the time.
 */
export const make = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const events = yield* CalendarEventStore
  const busyTimes = yield* BusyTimes.make

  /**
   * Returns whether overlaps are rejected: by the setting of the account that owns the event, or by the body of a
   * request of that account. In a team mate's request the body does not count. Otherwise a team mate could find out
   * when the owner has events that the team mate may not see.
   */
  const rejects = Effect.fnUntraced(function* (
    { accountId }: Changed,
    body: Pick<PutCalendarEvent, "rejectConflicts">
  ) {
    const { account } = yield* Principal
    if (account.id === accountId) return body.rejectConflicts === true || account.settings.rejectConflicts
    // The caller is a team mate, so the event is in the calendar of another account.
    return Option.exists(yield* accounts.find(accountId), (owner) => owner.settings.rejectConflicts)
  })

  return (body: Pick<PutCalendarEvent, "rejectConflicts">): RequireTime =>
    Effect.fnUntraced(function* (before, after) {
      if (!blocksNewTime(before, after) || !(yield* rejects(after, body))) return
      const { accountId, endTime, startTime } = after
      yield* events.lockCalendar(accountId)
      const itself = Option.map(Option.fromNullOr(before), (event) => event.id)
      const busy = yield* busyTimes(accountId, CalendarEventTimes.toInterval(after), itself)
      if (busy.length > 0) return yield* new SlotUnavailable({ startTime, endTime, rule: "reject_conflicts" })
    })
})
