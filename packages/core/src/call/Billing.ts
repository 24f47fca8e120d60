import * as Schema from "effect/Schema"
import * as Money from "../values/Money.ts"

/** How the charge of a call stands (D-BILL-3). */
export const BillingStatus = Schema.Literals(["pending", "charged", "refunded", "waived"])

/** How the charge of a call stands. */
export type BillingStatus = typeof BillingStatus.Type

/** What a call costs (C-2.2-6): `total_charge` is `initialCharge + finalCharge`. */
export const Billing = Schema.Struct({
  status: BillingStatus,
  /** The reservation at the start: the price of the first minute. */
  initialCharge: Money.Money,
  /** What settlement adds; negative when it gives back. */
  finalCharge: Money.Money,
  /** The price of a minute when the call was made. */
  pricePerMinute: Money.Money
})

/** What a call costs. */
export type Billing = typeof Billing.Type

/** What a call costs in all (C-2.2-6). While it is pending, that is the reservation. */
export const totalCharge = (billing: Billing): Money.Money => Money.sum(billing.initialCharge, billing.finalCharge)

/** The charge of a call that begins: the price of the first minute is reserved (D-BILL-2). */
export const pending = (pricePerMinute: Money.Money): Billing => ({
  status: "pending",
  initialCharge: pricePerMinute,
  finalCharge: Money.zero,
  pricePerMinute
})

/** The minutes a call is billed for: every started one, at least one when it was answered, none when it was not. */
export const billedMinutes = (talkSeconds: number | null): number =>
  talkSeconds === null ? 0 : Math.max(1, Math.ceil(talkSeconds / 60))

/**
 * The charge of a call that has ended.
 *
 * It is never more than the reservation and the balance cover together: the balance is never negative (D-BILL-4), and what
 * is not covered is written off. `refunded`: never answered, so the reservation was released. `waived`: calls of this account
 * are free.
 *
 * @param talkSeconds whole seconds from answer to end; null when the call was never answered
 * @param balance what the account can spend besides the reservation of this call
 */
export const settle = (billing: Billing, talkSeconds: number | null, balance: Money.Money): Billing => {
  // A plain number: with times that cannot be, what is owed may be more than money can express, and the call must end.
  const owed = billing.pricePerMinute * billedMinutes(talkSeconds)
  const total = Money.Money.make(Math.min(owed, Money.sum(billing.initialCharge, balance)))
  return {
    ...billing,
    status: billing.pricePerMinute === 0 ? "waived" : talkSeconds === null ? "refunded" : "charged",
    finalCharge: Money.subtract(total, billing.initialCharge)
  }
}

/**
 * How long a call may last: the whole minutes the balance pays for, in seconds, at most `maxSeconds`.
 *
 * @param balance what the account can spend, the reservation of this call included
 */
export const affordableSeconds = (pricePerMinute: Money.Money, balance: Money.Money, maxSeconds: number): number =>
  pricePerMinute === 0 ? maxSeconds : Math.min(maxSeconds, Math.floor(balance / pricePerMinute) * 60)
