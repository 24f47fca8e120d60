import * as Result from "effect/Result"
import * as FieldProblems from "../values/FieldProblems.ts"
import { type FieldProblem, MissingParameter, ValidationError } from "../values/ValidationError.ts"
import type { VariableType } from "./ContextVariable.ts"

/** The options of a `select`. Null for every other type. */
export type SelectOptions = ReadonlyArray<string> | null

/** The maximum number of options of a select. */
export const maxOptions = 500

/**
 * Returns the options that a definition of a type stores (C-2.4-3, D-VAR-4, D-VAR-5). Every type except `select` stores
 * none, so a definition that changes from `select` to another type loses its options.
 *
 * Fails with `MissingParameter` when a `select` has no list of options. Fails with `ValidationError` when the list is
 * empty, has more than {@link maxOptions}, or has a blank or repeated option.
 */
export const check = (
  type: VariableType,
  options: SelectOptions
): Result.Result<SelectOptions, ValidationError | MissingParameter> => {
  if (type !== "select") return Result.succeed(null)
  if (options === null) return Result.fail(new MissingParameter({ fields: ["select_options"] }))
  const [first, ...others] = problems(options)
  return first === undefined
    ? Result.succeed(options)
    : Result.fail(new ValidationError({ problems: [first, ...others] }))
}

const problems = (options: ReadonlyArray<string>): ReadonlyArray<FieldProblem> => {
  const field = "select_options"
  if (options.length === 0) return [{ field, code: FieldProblems.invalid, message: "Expected at least one option" }]
  if (options.length > maxOptions) {
    return [{ field, code: FieldProblems.tooMany, message: `A select has at most ${maxOptions} options` }]
  }
  const seen = new Set<string>()
  return options.flatMap((option, index): ReadonlyArray<FieldProblem> => {
    const at = `${field}[${index}]`
    if (option.trim() === "") return [{ field: at, code: FieldProblems.invalid, message: "An option cannot be blank" }]
    if (seen.has(option)) return [{ field: at, code: "duplicate", message: "This option is given twice" }]
    seen.add(option)
    return []
  })
}
