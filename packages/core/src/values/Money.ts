import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/** How many units of {@link Money} make one unit of the currency. */
export const scale = 1_000_000

/**
 * An amount of money as a whole number of millionths of the account's currency, so that sums are exact.
 *
 * The range is that of safe integers: about nine thousand million units of the currency.
 */
export const Money = Schema.Int.pipe(Schema.brand("Money"))

/** An amount of money in millionths of the account's currency. */
export type Money = typeof Money.Type

/** No money. */
export const zero: Money = Money.make(0)

/** Adds amounts. */
export const sum = (...amounts: ReadonlyArray<Money>): Money =>
  Money.make(amounts.reduce((total, amount) => total + amount, 0))

/** `a - b`. */
export const subtract = (a: Money, b: Money): Money => Money.make(a - b)

/** An amount a whole number of times. */
export const times = (amount: Money, count: number): Money => Money.make(amount * count)

/** The greatest amount a JSON number can carry to the millionth: a thousand million units of the currency. */
export const maxAmount = 1_000_000_000

/**
 * Money as a JSON number of currency units, `0.1` for ten hundredths.
 *
 * Decoding refuses numbers with more than six decimals or beyond a thousand million; encoding is exact within these.
 */
export const MoneyFromNumber = Schema.Finite.check(
  Schema.makeFilter((amount: number) => Math.abs(amount) <= maxAmount && Number(amount.toFixed(6)) === amount, {
    description: "an amount of money with at most six decimals"
  })
).pipe(
  Schema.decodeTo(Money, {
    decode: SchemaGetter.transform((amount: number) => Math.round(amount * scale)),
    encode: SchemaGetter.transform((money: number) => money / scale)
  })
)

/** Writes an amount as currency units without trailing zeros, `0.1`. */
export const format = (money: Money): string => String(money / scale)
