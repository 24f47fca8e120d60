import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { Call } from "./Call.ts"
import { isTerminal } from "./CallStatus.ts"

/** When the next minute of a call is reserved, and when a call without one is hung up. */
export interface Plan {
  /** How long before the reserved talk time ends the next minute is reserved. */
  readonly lead: Duration.Duration
  /** How long before the reserved talk time ends a call is hung up whose next minute could not be reserved. */
  readonly cutoff: Duration.Duration
  /** The pause before the next try of a reservation that the balance did not cover. */
  readonly retry: Duration.Duration
  /** The pause before a call that was hung up for lack of funds, and has not ended, is hung up again. */
  readonly hangUpAgain: Duration.Duration
}

/** Reserves 15 seconds ahead, tries every 5 seconds, hangs up 5 seconds before the end, again after 15 seconds. */
export const standard: Plan = {
  lead: Duration.seconds(15),
  cutoff: Duration.seconds(5),
  retry: Duration.seconds(5),
  hangUpAgain: Duration.seconds(15)
}

/** The plan in use; {@link standard} unless another is provided. */
export const ReservationPlan: Context.Reference<Plan> = Context.Reference<Plan>(
  "@frontdesk/core/call/ReservationPlan",
  { defaultValue: () => standard }
)

type Reserving = Pick<Call, "billing" | "reservedMinutes" | "startedAt" | "status">

/** Returns when the reserved talk time ends; null while the call is not answered, and for a call without a price. */
const reservedUntil = ({ billing, reservedMinutes, startedAt, status }: Reserving): DateTime.Utc | null =>
  startedAt === null || billing.pricePerMinute === 0 || isTerminal(status)
    ? null
    : DateTime.add(startedAt, { minutes: reservedMinutes })

/** Returns how many minutes must be reserved for a call that is talked now: those begun, and the next when it is near. */
export const minutesNeeded = (plan: Plan, call: Reserving, now: DateTime.Utc): number => {
  if (call.startedAt === null || reservedUntil(call) === null) return call.reservedMinutes
  const ahead = Timestamp.after(now, plan.lead)
  const talked = ahead.epochMilliseconds - call.startedAt.epochMilliseconds
  return Math.max(call.reservedMinutes, Math.floor(talked / 60_000) + 1)
}

/** Returns when the next minute of a call is to be reserved; null while it is not answered, and when it costs nothing. */
export const nextReservationAt = (plan: Plan, call: Reserving): DateTime.Utc | null => {
  const until = reservedUntil(call)
  return until === null ? null : Timestamp.before(until, plan.lead)
}

/** Whether a call is to be hung up because its reserved talk time ends: it has no funds for another minute. */
export const isOutOfFunds = (plan: Plan, call: Reserving, now: DateTime.Utc): boolean => {
  const until = reservedUntil(call)
  return until !== null && DateTime.isGreaterThanOrEqualTo(Timestamp.after(now, plan.cutoff), until)
}

/** Returns the call after a try to reserve: with the minutes that the balance covered, and the time of the next try. */
export const afterReserving = (plan: Plan, call: Call, granted: number, now: DateTime.Utc): Call => {
  const reserved = { ...call, reservedMinutes: call.reservedMinutes + granted }
  const next = nextReservationAt(plan, reserved)
  if (next === null || DateTime.isGreaterThan(next, now)) return { ...reserved, reserveAt: next }
  const pause = isOutOfFunds(plan, reserved, now) ? plan.hangUpAgain : plan.retry
  return { ...reserved, reserveAt: Timestamp.after(now, pause) }
}
