import * as Result from "effect/Result"
import { type Limits, LimitReached } from "../access/AccountLimits.ts"
import * as JsonSize from "../values/JsonSize.ts"
import type { ContextVariable } from "./ContextVariable.ts"

/** The fields of a definition that the quota counts. */
type Definition = Omit<ContextVariable, "id">

const sizeOf = (definitions: ReadonlyArray<Definition>) => {
  const own = definitions.filter(({ isDefault }) => !isDefault)
  return {
    variables: own.length,
    variableBytes: own.reduce(
      (sum, { description, displayName, name, selectOptions }) =>
        sum + JsonSize.bytesOf({ description, displayName, name, selectOptions }),
      0
    )
  }
}

const checkEach = <R extends LimitReached["resource"]>(
  resources: Readonly<Record<"variables" | "variableBytes", R>>,
  limits: Limits,
  before: ReadonlyArray<Definition>,
  after: ReadonlyArray<Definition>
): Result.Result<void, LimitReached> => {
  const [present, wanted] = [sizeOf(before), sizeOf(after)]
  for (const name of ["variables", "variableBytes"] as const) {
    const limit = limits[name]
    if (wanted[name] > limit && wanted[name] > present[name]) {
      return Result.fail(new LimitReached({ resource: resources[name], limit }))
    }
  }
  return Result.void
}

/**
 * Fails with `LimitReached` when a change would take the definitions of an account beyond a limit: their number, or
 * their bytes together (D-VAR-16). Default variables do not count. A change that makes them fewer or smaller never
 * fails, so that an account above a limit can come back below it.
 */
export const check = (
  limits: Limits,
  before: ReadonlyArray<Definition>,
  after: ReadonlyArray<Definition>
): Result.Result<void, LimitReached> =>
  checkEach({ variables: "variables", variableBytes: "variableBytes" }, limits, before, after)

/**
 * Does the same as {@link check} for all definitions of a team, of whichever account. They have limits of their own,
 * because each account of the team lists them.
 */
export const checkTeam = (
  limits: Limits,
  before: ReadonlyArray<Definition>,
  after: ReadonlyArray<Definition>
): Result.Result<void, LimitReached> =>
  checkEach({ variables: "teamVariables", variableBytes: "teamVariableBytes" }, limits, before, after)
