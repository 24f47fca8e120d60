import * as Result from "effect/Result"
import { patchTeam } from "../access/TeamAccess.ts"
import { durationMinutes, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import * as CalendarEventMerge from "../calendar-event/CalendarEventMerge.ts"
import type { Replacement } from "../calendar/CalendarEventWrites.ts"
import { DurationMismatch, EventNotAhead } from "./BookingError.ts"

/** The rule of a move: only an event that is ahead moves, and it keeps its duration. */
export const moving: Replacement<EventNotAhead | DurationMismatch> = {
  operation: "events.move",
  teamOf: patchTeam,
  rule: (event, change, now) => {
    if (!isUpcoming(event, now)) return Result.fail(new EventNotAhead())
    return Result.flatMap(CalendarEventMerge.patch(event, change, now), (moved) => {
      const minutes = durationMinutes(event)
      return durationMinutes(moved) === minutes
        ? Result.succeed(moved)
        : Result.fail(new DurationMismatch({ durationMinutes: minutes }))
    })
  }
}
