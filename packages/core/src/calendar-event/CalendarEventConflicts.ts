import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import { SlotUnavailable } from "./CalendarError.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"
import { CalendarEventStore } from "./CalendarEventStore.ts"
import type { PutCalendarEvent } from "./CalendarEventInput.ts"
import * as CalendarEventMerge from "./CalendarEventMerge.ts"
import { blocks } from "./CalendarEventStatus.ts"

type Changed = Omit<CalendarEvent, "id">

/** Whether a change makes an event block a time that it did not block before. */
const takesTime = (before: CalendarEvent | null, after: Changed): boolean =>
  blocks(after.status) && (before === null || !blocks(before.status) || CalendarEventMerge.isMoved(before, after))

/**
 * Makes the check that a new or changed event overlaps nothing that blocks, where `reject_conflicts` asks for it.
 *
 * It fails with `SlotUnavailable`, and locks the calendar until the transaction ends: of two callers at once one gets the
 * time. An event that takes no other time than before is not checked. It is called in the transaction of the change.
 */
export const make = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const events = yield* CalendarEventStore

  /**
   * Whether the account that owns the event wants no overlaps, or its own body does. The body of a team mate does not
   * count: its answer would tell when the owner is busy with events that the team mate cannot see.
   */
  const rejects = Effect.fnUntraced(function* (
    { accountId }: Changed,
    body: Pick<PutCalendarEvent, "rejectConflicts">
  ) {
    const { account } = yield* Principal
    if (account.id === accountId) return body.rejectConflicts === true || account.settings.rejectConflicts
    // An event of a team may be in the calendar of another account.
    return Option.exists(yield* accounts.find(accountId), (owner) => owner.settings.rejectConflicts)
  })

  return Effect.fnUntraced(function* (
    before: CalendarEvent | null,
    after: Changed,
    body: Pick<PutCalendarEvent, "rejectConflicts">
  ) {
    if (!takesTime(before, after) || !(yield* rejects(after, body))) return
    const { accountId, endTime, startTime } = after
    yield* events.lockCalendar(accountId)
    const itself = Option.map(Option.fromNullOr(before), (event) => event.id)
    const busy = yield* events.busy(accountId, startTime, endTime, itself)
    if (busy.length > 0) return yield* new SlotUnavailable({ startTime, endTime })
  })
})
