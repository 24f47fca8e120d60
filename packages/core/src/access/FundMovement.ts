import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { Money, zero } from "../values/Money.ts"
import { balance, type Funds } from "./Account.ts"

/** Database id of a movement. */
export const FundMovementId = DatabaseId.pipe(Schema.brand("FundMovementId"))

/** Database id of a movement. */
export type FundMovementId = typeof FundMovementId.Type

/**
 * Why the balance of an account changed (D-BILL-15).
 *
 * - `deposit`: money was added.
 * - `reservation`: money was reserved for a call.
 * - `settlement`: a call was charged. Its reservation was released and its charge taken, or its charge was corrected later.
 * - `release`: the reservation of a call was released without a charge.
 * - `opening`: the sum of changes that are not listed, because they are older than the list.
 */
export const MovementKind = Schema.Literals(["deposit", "reservation", "settlement", "release", "opening"])

/** Why the balance of an account changed. */
export type MovementKind = typeof MovementKind.Type

/**
 * One change of the balance of an account. The amounts of all movements of an account add up to its balance (D-BILL-15).
 * A later movement has a higher id, and never an earlier time.
 */
export const FundMovement = Schema.Struct({
  id: FundMovementId,
  kind: MovementKind,
  /** By how much the balance changed. Negative when it became lower. */
  amount: Money,
  /** The balance after the change. */
  balanceAfter: Money,
  /** The service's identifier of the call that the money is for, also when that call was deleted. Otherwise null. */
  callId: Schema.NullOr(Schema.String),
  at: Schema.DateTimeUtc
})

/** One change of the balance of an account. */
export type FundMovement = typeof FundMovement.Type

/** The amounts to add to the sums of an account. They may be negative. An absent sum does not change. */
export type FundsChange = Partial<Funds>

/** What a change of funds is for, and when it is made. */
export interface FundsCause {
  /** The service's identifier of the call that the money is for, or null. */
  readonly callId: string | null
  readonly at: DateTime.Utc
}

/** The maximum number of movements in a list. An older one is found with a filter. */
export const maxListed = 10_000

/** Returns all sums of a change. An absent sum is 0. */
export const sumsOf = ({ charges = zero, deposits = zero, reservations = zero }: FundsChange): Funds => ({
  deposits,
  charges,
  reservations
})

/** Returns the kind and the amount of the movement of a change. Null for a change without amounts, which has none. */
export const ofChange = (change: FundsChange): Pick<FundMovement, "kind" | "amount"> | null => {
  const { charges, deposits, reservations } = sumsOf(change)
  const amount = balance({ deposits, charges, reservations })
  if (deposits !== 0) return { kind: "deposit", amount }
  if (charges !== 0) return { kind: "settlement", amount }
  return reservations === 0 ? null : { kind: reservations > 0 ? "reservation" : "release", amount }
}
