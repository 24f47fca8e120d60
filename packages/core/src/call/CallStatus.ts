import * as Schema from "effect/Schema"

/** How a call stands (D-CALL-19). */
export const CallStatus = Schema.Literals([
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "cancelled"
])

/** How a call stands. */
export type CallStatus = typeof CallStatus.Type

/**
 * How far along each status is (D-CALL-20): the whole state machine.
 *
 * A call moves from a status to any of a higher rank and never back, so what ends first ends it for good.
 */
export const ranks: { readonly [Status in CallStatus]: 0 | 1 | 2 | 3 } = {
  queued: 0,
  ringing: 1,
  in_progress: 2,
  completed: 3,
  busy: 3,
  no_answer: 3,
  failed: 3,
  cancelled: 3
}

/** How far along a status is: 0 to 3. */
export const rank = (status: CallStatus): number => ranks[status]

/** Whether a call of this status has ended. */
export const isTerminal = (status: CallStatus): boolean => rank(status) === 3

/** The status after a report of another: that one when it is further along, else the present one (D-CALL-20). */
export const advance = (present: CallStatus, reported: CallStatus): CallStatus =>
  rank(reported) > rank(present) ? reported : present
