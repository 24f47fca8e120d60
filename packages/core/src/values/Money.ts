import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/** The number of units of {@link Money} in one unit of the currency. */
export const scale = 1_000_000

/**
 * An amount of money as a whole number of millionths of the account's currency, so that sums are exact.
 *
 * The range is that of safe integers: about nine billion units of the currency.
 */
export const Money = Schema.Int.pipe(Schema.brand("Money"))

/** An amount of money in millionths of the account's currency. */
export type Money = typeof Money.Type

/** No money. */
export const zero: Money = Money.make(0)

/** Returns the sum of amounts, 0 for none. */
export const sum = (...amounts: ReadonlyArray<Money>): Money =>
  Money.make(amounts.reduce((total, amount) => total + amount, 0))

/** Returns `a - b`, which may be negative. */
export const subtract = (a: Money, b: Money): Money => Money.make(a - b)

/** Returns an amount multiplied by a whole number. */
export const times = (amount: Money, count: number): Money => Money.make(amount * count)

/** The largest amount that the API accepts, in currency units. A JSON number is exact to the millionth up to it. */
export const maxAmount = 1_000_000_000

/**
 * Money as a JSON number of currency units: `0.1` is 100,000 millionths.
 *
 * Decoding fails for a number with more than six decimals (D-VAL-7) or beyond {@link maxAmount}. Encoding is exact up
 * to it.
 */
export const MoneyFromNumber = Schema.Finite.check(
  Schema.makeFilter((amount: number) => Math.abs(amount) <= maxAmount && Number(amount.toFixed(6)) === amount, {
    description: `an amount of money with at most six decimals, and not beyond ${maxAmount}`
  })
).pipe(
  Schema.decodeTo(Money, {
    decode: SchemaGetter.transform((amount: number) => Math.round(amount * scale)),
    encode: SchemaGetter.transform((money: number) => money / scale)
  })
)

/**
 * Money in answers as a JSON number of currency units, without an upper limit, because sums may exceed {@link maxAmount}.
 * The number is exact to the millionth up to it.
 */
export const ShownMoney = Schema.Finite.pipe(
  Schema.decodeTo(Money, {
    decode: SchemaGetter.transform((amount: number) => Math.round(amount * scale)),
    encode: SchemaGetter.transform((money: number) => money / scale)
  })
)

/** Returns an amount as text in currency units without trailing zeros: `0.1`. */
export const format = (money: Money): string => String(money / scale)
