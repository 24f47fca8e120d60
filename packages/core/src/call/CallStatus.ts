import * as Schema from "effect/Schema"

/**
 * The status of a call (D-CALL-19). The last five are terminal: the call has ended. An answered call that finished is
 * `completed` (C-3.2-1).
 */
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

/** The status of a call. */
export type CallStatus = typeof CallStatus.Type

/**
 * The rank of each status, which is the whole state machine of a call (D-CALL-20). A call changes only to a status of a
 * higher rank. The terminal statuses have the same rank, so the first of them is final.
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

/** Returns the rank of a status: 0 to 3. */
export const rank = (status: CallStatus): number => ranks[status]

/** Returns whether a status is terminal: a call with it has ended. */
export const isTerminal = (status: CallStatus): boolean => rank(status) === 3

/**
 * Returns the status after a report: the reported one when its rank is higher, otherwise the present one (D-CALL-20).
 */
export const advance = (present: CallStatus, reported: CallStatus): CallStatus =>
  rank(reported) > rank(present) ? reported : present
