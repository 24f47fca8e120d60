import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Failure from "../failure/Failure.ts"

const form = /^(\d+(?:\.\d+)?) ?([a-z]+)$/

const longUnits = new Map([
  ["ms", "millis"],
  ["s", "seconds"],
  ["m", "minutes"],
  ["h", "hours"],
  ["d", "days"]
])

/** Returns the duration that a text means, such as `10s`, `250 ms` or `2 hours`. Returns none for any other text. */
export const parse = (text: string): Option.Option<Duration.Duration> => {
  const [, amount, unit] = form.exec(text) ?? []
  if (amount === undefined || unit === undefined) return Option.none()
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- `fromInput` returns none for a unit that it does not know. */
  return Duration.fromInput(`${amount} ${longUnits.get(unit) ?? unit}` as Duration.Input)
}

/** Returns the duration of an option: milliseconds, or a text. Throws an error that names the option. */
export const orThrow = (field: string, given: string | number): Duration.Duration => {
  const duration = typeof given === "number" ? Duration.fromInput(given) : parse(given)
  if (Option.isSome(duration)) return duration.value
  throw Failure.ofField(field, "Expected text such as 10s, or milliseconds")
}
