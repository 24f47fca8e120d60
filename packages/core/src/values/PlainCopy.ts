import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
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
 * The own enumerable keys of an object are copied; those whose value is undefined are left out. Values of Effect, and
 * functions, stay as they are. Other objects with a nature of their own, such as `Date` and `Map`, become a symbol, which
 * no schema accepts. Fails when reading throws, and beyond {@link maxDepth} and {@link maxValues}.
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
    if (typeof value !== "object" || value === null || isOfEffect(value)) return value
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

const foreign = Symbol("an object that is not plain")

const isOfEffect = (value: object): boolean =>
  DateTime.isDateTime(value) || Redacted.isRedacted(value) || Duration.isDuration(value) || Effect.isEffect(value)
