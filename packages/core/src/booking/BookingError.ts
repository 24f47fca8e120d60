import * as Data from "effect/Data"

/** The text is not a slot id that was made for this account and agent. */
export class InvalidSlotId extends Data.TaggedError("InvalidSlotId") {}

/** The time has passed in which the slot id could be used. */
export class SlotIdExpired extends Data.TaggedError("SlotIdExpired") {}

/** The conversation holds the maximum number of slots. */
export class HoldLimitReached extends Data.TaggedError("HoldLimitReached")<{ readonly limit: number }> {}

/** The event is not scheduled or confirmed, or is over. So it can be neither moved nor cancelled for a person. */
export class EventNotAhead extends Data.TaggedError("EventNotAhead") {}

/** The slot does not have the duration of the event that is moved to it. */
export class DurationMismatch extends Data.TaggedError("DurationMismatch")<{
  /** The duration of the event, in minutes. */
  readonly durationMinutes: number
}> {}
