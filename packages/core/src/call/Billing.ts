import * as Schema from "effect/Schema"
import * as Money from "../values/Money.ts"

/**
 * The state of a call's charge (D-BILL-3). It is `pending` until the call ends, and {@link settle} decides what
 * follows.
 */
export const BillingStatus = Schema.Literals(["pending", "charged", "refunded", "waived"])

/** The state of a call's charge. */
export type BillingStatus = typeof BillingStatus.Type

/** The charge of a call. The field `total_charge` of the API is `initialCharge + finalCharge` (D-BILL-3). */
export const Billing = Schema.Struct({
  status: BillingStatus,
  /** The reservation that is made when the call starts: the price of the first minute. */
  initialCharge: Money.Money,
  /** The amount that settlement adds. It is negative when settlement gives money back, and 0 until the call ends. */
  finalCharge: Money.Money,
  /** The price of a minute when the call was made. A later change of the account's price does not change it. */
  pricePerMinute: Money.Money
})

/** The charge of a call. */
export type Billing = typeof Billing.Type

/**
 * Returns the total charge of a call (D-BILL-3). While the charge is pending, that is the price of the first minute.
 */
export const totalCharge = (billing: Billing): Money.Money => Money.sum(billing.initialCharge, billing.finalCharge)

/** Returns the charge of a call that starts: pending, with the price of the first minute reserved (D-BILL-2). */
export const pending = (pricePerMinute: Money.Money): Billing => ({
  status: "pending",
  initialCharge: pricePerMinute,
  finalCharge: Money.zero,
  pricePerMinute
})

/** Returns the charge of an inbound call whose first minute the balance does not cover: pending, with nothing reserved. */
export const unreserved = (pricePerMinute: Money.Money): Billing => ({
  ...pending(pricePerMinute),
  initialCharge: Money.zero
})

/**
 * Returns the number of minutes that a call is billed for (D-BILL-1). Every started minute counts, and an answered call
 * has at least one. A call that was never answered has 0.
 *
 * @param talkSeconds whole seconds from answer to end; null when the call was never answered
 */
export const billedMinutes = (talkSeconds: number | null): number =>
  talkSeconds === null ? 0 : Math.max(1, Math.ceil(talkSeconds / 60))

/**
 * Returns the charge of a call that has ended.
 *
 * The total is at most the first minute's reservation plus `balance`, so that the balance never becomes negative
 * (D-BILL-4). The rest is written off (D-BILL-8). The status is `waived` when the price is 0, `refunded` when the call
 * was never answered, and `charged` otherwise.
 *
 * @param talkSeconds whole seconds from answer to end; null when the call was never answered
 * @param balance what the account can spend besides this call's first minute, including the further minutes reserved
 * for it
 */
export const settle = (billing: Billing, talkSeconds: number | null, balance: Money.Money): Billing => {
  // A plain number, because the price of many minutes can be more than Money can express. Money would throw then, and the
  // call would never end.
  const owed = billing.pricePerMinute * billedMinutes(talkSeconds)
  const total = Money.Money.make(Math.min(owed, Money.sum(billing.initialCharge, balance)))
  return {
    ...billing,
    status: billing.pricePerMinute === 0 ? "waived" : talkSeconds === null ? "refunded" : "charged",
    finalCharge: Money.subtract(total, billing.initialCharge)
  }
}

/**
 * Returns how long a call may last, in seconds: the whole minutes that the balance pays for, at most `maxSeconds`
 * (D-BILL-12). A call without a price may last `maxSeconds`.
 *
 * @param balance what the account can spend, including the reservation of this call
 */
export const affordableSeconds = (pricePerMinute: Money.Money, balance: Money.Money, maxSeconds: number): number =>
  pricePerMinute === 0 ? maxSeconds : Math.min(maxSeconds, Math.floor(balance / pricePerMinute) * 60)
