import * as Equal from "effect/Equal"
import type { FieldChange } from "../audit/FieldChange.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { BusinessContextChange } from "./BusinessContextMerge.ts"
import type { BusinessValues } from "./BusinessContextStore.ts"

/**
 * Returns the changed values of a business context for the audit log, by the names of the variables. They are shown, because
 * agents tell them to everybody who calls (D-AUD-4).
 */
export const changes = (
  current: BusinessValues,
  { remove, set }: Pick<BusinessContextChange, "set" | "remove">
): FieldChanges.Changes => {
  const before = new Map(Object.entries(current))
  const changed = Object.entries(set).filter(([name, value]) => !Equal.equals(before.get(name), value))
  const removed = remove.flatMap((name): ReadonlyArray<FieldChange> => {
    const value = before.get(name)
    return value === undefined ? [] : [FieldChanges.shown(name, value, null)]
  })
  return FieldChanges.bounded([
    ...changed.map(([name, value]) => FieldChanges.shown(name, before.get(name) ?? null, value)),
    ...removed
  ])
}
