import * as IsoText from "@frontdesk/core/values/IsoText"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/**
 * Returns a value of the core as plain data: times as ISO 8601 text, secrets as text, durations as milliseconds, and
 * `null` for an option without a value. Objects and arrays are copied.
 */
export const of = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return ofArray(value)
  // Only plain objects contain what people have written. An object of theirs that imitates a value of Effect stays as it is.
  if (isPlain(value)) return ofObject(value)
  if (DateTime.isDateTime(value)) return IsoText.format(value)
  if (Option.isOption(value)) return Option.isSome(value) ? of(value.value) : null
  if (Redacted.isRedacted(value)) return of(Redacted.value(value))
  if (Duration.isDuration(value)) return Duration.toMillis(value)
  if (value instanceof Set) return [...value].map(of)
  return value
}

const ofArray = (value: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const copied = value.slice()
  for (let index = 0; index < copied.length; index++) {
    const inner = copied[index]
    if (typeof inner === "object" && inner !== null) copied[index] = of(inner)
  }
  return copied
}

/**
 * Returns a plain copy of an object. A page of rows is copied on every call, so only what is not plain is replaced. `for in`
 * takes less time than `Object.keys` here, and the prototype of the copy has no keys.
 */
const ofObject = (value: Readonly<Record<string, unknown>>): object => {
  const copied: Record<string, unknown> = { ...value }
  for (const key in copied) {
    const inner = copied[key]
    if (typeof inner === "object" && inner !== null) copied[key] = of(inner)
  }
  return copied
}

const isPlain = (value: object): value is Readonly<Record<string, unknown>> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
