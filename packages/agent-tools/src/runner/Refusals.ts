import { DurationMismatch } from "@frontdesk/core/booking/BookingError"
import { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Effect from "effect/Effect"
import type { Texts } from "../speech/Texts.ts"
import { codes } from "../tool/Answer.ts"
import type { Refusal } from "../tool/ToolAnswers.ts"
import { invalidArguments } from "../tool/Toolbox.ts"

/** The errors of core with which a tool may end. */
interface CoreError {
  readonly _tag: string
}

const known = (texts: Texts): { readonly [tag: string]: Refusal } => ({
  BookingUnchecked: { say: texts.calendarUnavailable, error: "calendar_unavailable" },
  CalendarEventNotFound: { say: texts.appointmentNotFound, error: "not_found" },
  ContactNotFound: { say: texts.contactNotFound, error: "contact_not_found" },
  CalendarUnavailable: { say: texts.calendarUnavailable, error: "calendar_unavailable" },
  EventNotAhead: { say: texts.appointmentOver, error: "appointment_over" },
  HoldLimitReached: { say: texts.tooManyHolds, error: "too_many_holds" },
  InvalidSlotId: { say: texts.slotExpired, error: "invalid_slot_id" },
  LimitReached: { say: texts.notAllowed, error: "limit_reached" },
  NotOwner: { say: texts.notAllowed, error: "permission_denied" },
  SlotIdExpired: { say: texts.slotExpired, error: "slot_expired" }
})

/**
 * Returns the answer to an error of core. An error that no argument can cause is a failure of the program. It is logged,
 * because the person on the telephone cannot repair it.
 */
export const answerOf = (error: CoreError, texts: Texts): Effect.Effect<Refusal> => {
  if (error instanceof DurationMismatch) {
    const { durationMinutes } = error
    const say = texts.durationMismatch(durationMinutes)
    return Effect.succeed({ say, error: "duration_mismatch", duration_minutes: durationMinutes })
  }
  if (error instanceof ValidationError) return Effect.succeed(invalidArguments(texts, error.problems))
  const refusal = known(texts)[error._tag]
  return refusal === undefined
    ? Effect.as(Effect.logError("A tool failed", error), { say: texts.serverError, error: codes.serverError })
    : Effect.succeed(refusal)
}
