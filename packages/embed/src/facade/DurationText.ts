import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

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
