import * as Schema from "effect/Schema"
import { Money } from "../values/Money.ts"

/** How the charge of a call stands (Decisions 4). */
export const BillingStatus = Schema.Literals(["pending", "charged", "refunded", "waived"])

/** How the charge of a call stands. */
export type BillingStatus = typeof BillingStatus.Type

/** What a call costs (Contract 2.2): `total_charge` is `initialCharge + finalCharge`. */
export const Billing = Schema.Struct({
  status: BillingStatus,
  /** The hold: the price of the first minute. */
  initialCharge: Money,
  /** What settlement adds; negative when it gives back. */
  finalCharge: Money,
  /** The price of a minute when the call was made. */
  pricePerMinute: Money
})

/** What a call costs. */
export type Billing = typeof Billing.Type
