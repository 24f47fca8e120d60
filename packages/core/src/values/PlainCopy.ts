import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** How many levels of objects and arrays an argument may have: more would exhaust the stack of what walks them. */
export const maxDepth = 128

/** How many values an argument may hold in all. One that refers to itself, or to one part many times, holds more. */
export const maxValues = 1_000_000

/** Why a value cannot be copied, and where. */
export interface Uncopied {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/**
 * Returns a copy of a value in which objects and arrays are plain and were read once: a getter, a proxy or a later change
 * can show no other value than the one that was copied.
 *
 * The own enumerable keys of an object are copied; those whose value is undefined are left out. Functions and effects stay
 * as they are, and so does a `Redacted` that Effect made. A `DateTime.Utc` and a `Duration` are made anew from one read of their
 * value. An object that only has the key by which Effect knows such a value is copied like any other. Other objects with
 * a nature of their own, such as `Date` and `Map`, become {@link foreign}. Fails when reading throws, and beyond
 * {@link maxDepth} and {@link maxValues}.
 */
export const copy = (given: unknown): Result.Result<unknown, Uncopied> => {
  if (typeof given !== "object" || given === null) return Result.succeed(given)
  // When reading throws, the path is left as it was: it says where.
  const path: Array<PropertyKey> = []
  let values = 0
  const within = (key: PropertyKey, object: object): unknown => {
    path.push(key)
    const copied = copyOf(Reflect.get(object, key))
    path.pop()
    return copied
  }
  const copyOf = (value: unknown): unknown => {
    values += 1
    if (values > maxValues) throw new RangeError(`Expected at most ${maxValues} values`)
    if (typeof value !== "object" || value === null) return value
    const special = specialOf(value)
    if (special !== undefined) return special
    if (path.length >= maxDepth) throw new RangeError(`Expected at most ${maxDepth} levels of objects and arrays`)
    if (Array.isArray(value)) {
      const copied: Array<unknown> = []
      for (let index = 0, { length } = value; index < length; index++) copied.push(within(index, value))
      return copied
    }
    if (Object.prototype.toString.call(value) !== "[object Object]") return foreign
    return Object.fromEntries(
      Object.keys(value).flatMap((key) => {
        const inner = within(key, value)
        return inner === undefined ? [] : [[key, inner]]
      })
    )
  }
  try {
    return Result.succeed(copyOf(given))
  } catch (error) {
    // Only the errors above have messages that show nothing of what was given.
    const isTooMuch = values > maxValues || path.length >= maxDepth
    return Result.fail({ path, message: isTooMuch && error instanceof RangeError ? error.message : unreadable })
  }
}

const unreadable = "This value could not be read"

/** Stands in a copy for an object that is neither plain nor one of the values of Effect; no schema accepts it. */
export const foreign = Symbol("an object that is not plain")

/** What stands in the copy for an object that a library made; undefined for one that is copied by its keys. */
const specialOf = (value: object): unknown => {
  if (Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value)) return undefined
  if (DateTime.isDateTime(value)) return DateTime.isUtc(value) ? utcOf(value.epochMilliseconds) : foreign
  if (Duration.isDuration(value)) {
    return Duration.match(value, {
      onMillis: durationOf,
      onNanos: durationOf,
      onInfinity: () => Duration.infinity,
      onNegativeInfinity: () => Duration.negativeInfinity
    })
  }
  if (Redacted.isRedacted(value)) return isMade(value) ? value : foreign
  return Effect.isEffect(value) ? value : undefined
}

const durationOf = (amount: unknown): unknown => {
  if (typeof amount === "bigint") return Duration.nanos(amount)
  return typeof amount === "number" ? Duration.millis(amount) : foreign
}

const utcOf = (millis: unknown): unknown =>
  typeof millis === "number" ? Option.getOrElse(DateTime.make(millis), () => foreign) : foreign

/** Whether Effect made the value and still has what it hides: a look-alike, or one that was wiped, has nothing. */
const isMade = (value: Redacted.Redacted<unknown>): boolean => {
  try {
    Redacted.value(value)
    return true
  } catch {
    return false
  }
}
