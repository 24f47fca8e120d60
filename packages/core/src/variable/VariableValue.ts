import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { exists } from "../values/GregorianCalendar.ts"
import { utc } from "../values/LocalTime.ts"
import * as Decimal from "../values/Decimal.ts"
import * as TextForms from "../values/TextForms.ts"
import * as WallTime from "../values/WallTime.ts"
import type { VariableScalar, VariableType } from "./ContextVariable.ts"
import type { SelectOptions } from "./SelectOptions.ts"

/**
 * Returns the canonical form of a value, or fails with a message of what was expected (C-2.4-8, D-VAL-1, D-VAR-7,
 * D-VAR-8 and D-VAR-9).
 *
 * The canonical form of "42" is the number 42, and of "yes" the boolean true. A date stays a text, because a date-time
 * without offset is not an instant. White space is not trimmed, so " 42" is not a number. The canonical form of a
 * canonical value is the value itself.
 */
export const validate = (
  type: VariableType,
  options: SelectOptions,
  value: unknown
): Result.Result<VariableScalar, string> => canonical[type](value, options)

/**
 * Returns the type that a new variable gets from its first value: boolean, number or date, else text (D-VAR-10).
 * Returns none for an object, an array or null. The value is valid for the returned type.
 */
export const infer = (value: unknown): Option.Option<VariableType> =>
  typeof value === "boolean"
    ? Option.some("boolean")
    : Number.isFinite(value)
      ? Option.some("number")
      : typeof value === "string"
        ? Option.some(isDate(value) ? "date" : "text")
        : Option.none()

/** Returns whether a text is an existing date, or a date-time with or without offset (D-HTTP-13). */
export const isDate = (text: string): boolean => exists(text) || Result.isSuccess(WallTime.parse(text, utc))

const numberOf = (value: unknown): Option.Option<number> => {
  const number =
    typeof value === "number" ? value : typeof value === "string" && Decimal.isExact(value) ? Number(value) : NaN
  // JSON has no negative zero.
  return Number.isFinite(number) ? Option.some(number === 0 ? 0 : number) : Option.none()
}

const yes = new Set(["true", "yes", "1"])
const no = new Set(["false", "no", "0"])

const booleanOf = (value: unknown): Option.Option<boolean> => {
  if (typeof value === "boolean") return Option.some(value)
  const word = typeof value === "string" ? value.toLowerCase() : value === 1 ? "1" : value === 0 ? "0" : ""
  return yes.has(word) ? Option.some(true) : no.has(word) ? Option.some(false) : Option.none()
}

/**
 * Returns the option that equals a value, as the definition has it. A value may be composed in another way than the
 * option: `e` and a combining mark, or one character.
 */
const optionOf = (value: unknown, options: ReadonlyArray<string>): Option.Option<string> =>
  typeof value === "string"
    ? Option.fromUndefinedOr(
        options.find((option) => option === value) ?? options.find((option) => TextForms.isSame(option, value))
      )
    : Option.none()

const canonical: Readonly<
  Record<VariableType, (value: unknown, options: SelectOptions) => Result.Result<VariableScalar, string>>
> = {
  text: (value) => (typeof value === "string" ? Result.succeed(value) : Result.fail("Expected a string")),
  number: (value) =>
    Result.fromOption(
      numberOf(value),
      () => "Expected a finite number, or a numeric string that a number can represent exactly (about 15 digits)"
    ),
  date: (value) =>
    typeof value === "string" && isDate(value)
      ? Result.succeed(value)
      : Result.fail("Expected an existing ISO 8601 date or date-time"),
  boolean: (value) =>
    Result.fromOption(booleanOf(value), () => "Expected a boolean or one of true, false, yes, no, 1, 0"),
  select: (value, options) =>
    Result.fromOption(optionOf(value, options ?? []), () => "Expected one of the options of the variable")
}
