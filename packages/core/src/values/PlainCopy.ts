import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** The maximum number of levels of objects and arrays. A deeper value could exhaust the stack of recursive code. */
export const maxDepth = 128

/**
 * The maximum number of values in a copy. It stops the copying of a value that contains one part very often.
 */
export const maxValues = 1_000_000

/** The reason why a value cannot be copied, and the path of the part that cannot. */
export interface Uncopied {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/**
 * Returns a copy of a value with plain objects and arrays (D-VAL-4). Each property is read once. So a getter, a proxy or
 * a later change cannot show the service another value than the one that was validated.
 *
 * - Of an object the own enumerable keys are copied, except those whose value is undefined.
 * - Functions, effects and genuine `Redacted` values stay as they are.
 * - A `DateTime.Utc` and a `Duration` are created again from one read of their value.
 * - A plain object that imitates a value of Effect is copied like any other object. `LookAlikes` handles it.
 * - Other objects, such as `Date` and `Map`, become {@link foreign}.
 *
 * Fails when reading a property throws, and beyond {@link maxDepth} or {@link maxValues}.
 *
 * @param replace returns what is copied in place of a value, or undefined to copy it as above
 */
export const copy = (
  given: unknown,
  replace: (value: unknown) => unknown = unreplaced
): Result.Result<unknown, Uncopied> => {
  // When reading throws, the path is not reset. It then names the property that could not be read.
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
    const replaced = replace(value)
    if (replaced !== undefined) return replaced
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
    const copied = {}
    for (const key of Object.keys(value)) {
      const inner = within(key, value)
      if (inner !== undefined) setOwn(copied, key, inner)
    }
    return copied
  }
  try {
    return Result.succeed(copyOf(given))
  } catch (error) {
    // Any other error comes from the caller's getter or proxy, and its message may contain parts of the value.
    const isTooMuch = values > maxValues || path.length >= maxDepth
    return Result.fail({ path, message: isTooMuch && error instanceof RangeError ? error.message : unreadable })
  }
}

/** Sets an own property. An assignment to `__proto__` would set the prototype instead. */
const setOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
}

const unreplaced = () => undefined

const unreadable = "This value could not be read"

/** Replaces an object in a copy that is neither plain nor a value of Effect. No schema accepts this symbol. */
export const foreign = Symbol("an object that is not plain")

/** Returns the replacement of a value of Effect. Returns undefined for any other object. */
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

/** Returns whether Effect has the hidden value. It has none for a look-alike, or after the value was wiped. */
const isMade = (value: Redacted.Redacted<unknown>): boolean => {
  try {
    Redacted.value(value)
    return true
  } catch {
    return false
  }
}
