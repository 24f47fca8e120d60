import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { Call } from "./Call.ts"
import { isTerminal } from "./CallStatus.ts"

/** When the next minute of a call is reserved, and when a call whose next minute is not reserved is hung up (D-BILL-7). */
export interface Plan {
  /** The time between the reservation of the next minute and the end of the reserved talk time. */
  readonly lead: Duration.Duration
  /** The time between hanging up a call whose next minute is not reserved and the end of its reserved talk time. */
  readonly cutoff: Duration.Duration
  /** The pause after a reservation that the balance did not cover, before the next try. */
  readonly retry: Duration.Duration
  /** The pause after hanging up a call for lack of funds, before it is hung up again if it has not ended. */
  readonly hangUpAgain: Duration.Duration
}

/**
 * The default plan. The next minute is reserved 15 seconds before the reserved talk time ends, and tried again every 5
 * seconds. The call is hung up 5 seconds before that end, and again every 15 seconds.
 */
export const standard: Plan = {
  lead: Duration.seconds(15),
  cutoff: Duration.seconds(5),
  retry: Duration.seconds(5),
  hangUpAgain: Duration.seconds(15)
}

/** The reservation plan in use: {@link standard}, unless a program provides another. */
export const ReservationPlan: Context.Reference<Plan> = Context.Reference<Plan>(
  "@frontdesk/core/call/ReservationPlan",
  { defaultValue: () => standard }
)

type Reserving = Pick<Call, "billing" | "reservedMinutes" | "startedAt" | "status">

/** Returns when the reserved talk time ends. Null for a call that is not answered, has no price or has ended. */
const reservedUntil = ({ billing, reservedMinutes, startedAt, status }: Reserving): DateTime.Utc | null =>
  startedAt === null || billing.pricePerMinute === 0 || isTerminal(status)
    ? null
    : DateTime.add(startedAt, { minutes: reservedMinutes })

/**
 * Returns how many minutes must be reserved for a call at `now`. These are every minute that has begun, and the next one
 * when it begins within `lead`. Returns the present number when the call is not answered, has no price or has ended.
 */
export const minutesNeeded = (plan: Plan, call: Reserving, now: DateTime.Utc): number => {
  if (call.startedAt === null || reservedUntil(call) === null) return call.reservedMinutes
  const ahead = Timestamp.after(now, plan.lead)
  const talked = ahead.epochMilliseconds - call.startedAt.epochMilliseconds
  return Math.max(call.reservedMinutes, Math.floor(talked / 60_000) + 1)
}

/** Returns when to reserve the next minute of a call. Null for a call that is not answered, has no price or has ended. */
export const nextReservationAt = (plan: Plan, call: Reserving): DateTime.Utc | null => {
  const until = reservedUntil(call)
  return until === null ? null : Timestamp.before(until, plan.lead)
}

/** Returns whether to hang up a call for lack of funds: its reserved talk time ends within `cutoff`. */
export const isOutOfFunds = (plan: Plan, call: Reserving, now: DateTime.Utc): boolean => {
  const until = reservedUntil(call)
  return until !== null && DateTime.isGreaterThanOrEqualTo(Timestamp.after(now, plan.cutoff), until)
}

/**
 * Returns the call after a reservation, with the time of the next one.
 *
 * @param granted how many minutes the balance covered; it may be fewer than were needed
 */
export const afterReserving = (plan: Plan, call: Call, granted: number, now: DateTime.Utc): Call => {
  const reserved = { ...call, reservedMinutes: call.reservedMinutes + granted }
  const next = nextReservationAt(plan, reserved)
  if (next === null || DateTime.isGreaterThan(next, now)) return { ...reserved, reserveAt: next }
  const pause = isOutOfFunds(plan, reserved, now) ? plan.hangUpAgain : plan.retry
  return { ...reserved, reserveAt: Timestamp.after(now, pause) }
}
