import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import * as JsonSize from "../values/JsonSize.ts"
import * as Wire from "../values/Wire.ts"
import type { FieldChange } from "./FieldChange.ts"

/**
 * What the audit log shows of a field (D-AUD-4).
 *
 * - `shown`: its values before and after a change.
 * - `named`: only that it has changed. For personal and secret values, and for texts of any length that a person writes.
 * - `ignored`: nothing. For what the service sets itself with each change, such as the time of the change.
 * - {@link ShownAs}: something else than the value, for example the id of a reference.
 */
export type FieldRule<Value> = "shown" | "named" | "ignored" | ShownAs<Value>

/** What an entry shows in place of the value of a field. */
export interface ShownAs<Value> {
  /** The name of what is shown, in JSON. */
  readonly name: string
  readonly show: (value: Value) => Schema.Json
}

/** The rule that shows a reference to a record by its id. */
export const idAs = (name: string): ShownAs<{ readonly id: number } | null> => ({
  name,
  show: (record) => record?.id ?? null
})

/** The rules of all fields of a record. A field without a rule does not compile, so that no new field is shown by accident. */
export type FieldRules<Entity> = { readonly [Field in keyof Entity]-?: FieldRule<Entity[Field]> }

/** The maximum number of fields that an entry lists. */
export const maxListed = 50

/** The maximum number of bytes of a value that an entry shows, as JSON. A longer one is left out. */
export const maxValueBytes = 1_024

/** The maximum number of bytes of all values that an entry shows, as JSON. Beyond it, values are left out. */
export const maxBytes = 4_096

/** The changes of an entry. */
export interface Changes {
  readonly changes: ReadonlyArray<FieldChange>
  readonly unlistedChanges: number
}

/** The changes of an entry that names no field. */
export const none: Changes = { changes: [], unlistedChanges: 0 }

/** Returns a value as JSON. Undefined for a secret, and for a value that has no JSON. */
const jsonOf = (value: unknown): Schema.Json | undefined => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (typeof value !== "object" || Redacted.isRedacted(value)) return undefined
  if (Array.isArray(value)) return allOf(value.map(jsonOf))
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const shown = allOf(entries.map(([, inner]) => jsonOf(inner)))
  return shown === undefined
    ? undefined
    : Object.fromEntries(entries.map(([key], index) => [key, shown[index] ?? null]))
}

/** Returns the values, or undefined when one of them is undefined. */
const allOf = (values: ReadonlyArray<Schema.Json | undefined>): ReadonlyArray<Schema.Json> | undefined => {
  const present = values.filter((value) => value !== undefined)
  return present.length === values.length ? present : undefined
}

/** Returns whether a field of a new or deleted record has nothing to show or to name. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" &&
    !DateTime.isDateTime(value) &&
    !Redacted.isRedacted(value) &&
    Object.keys(value).length === 0)

type AnyRule = FieldRule<never>
type Fields = Readonly<Record<string, unknown>>

/** The value of a field before or after a change. */
interface Side {
  readonly value: unknown
}

/** Returns what an entry shows of a value, or undefined when it leaves the value out. */
const show = (rule: AnyRule, value: unknown): Schema.Json | undefined => {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- `FieldRules` states that the function takes the value of its field.
  const shown = typeof rule === "object" ? rule.show(value as never) : rule === "shown" ? jsonOf(value) : undefined
  return shown !== undefined && JsonSize.bytesOf(shown) <= maxValueBytes ? shown : undefined
}

/** Returns the change of a field. It has both values or neither, as far as the record existed before and after. */
const changeOf = (field: string, rule: AnyRule, before: Side | null, after: Side | null): FieldChange => {
  const old = before === null ? null : show(rule, before.value)
  const next = after === null ? null : show(rule, after.value)
  if (old === undefined || next === undefined) return { field }
  return { field, ...(before === null ? {} : { before: old }), ...(after === null ? {} : { after: next }) }
}

/** Returns the change of a field whose values are shown, as far as they are not too large. */
export const shown = (field: string, before: Schema.Json, after: Schema.Json): FieldChange =>
  changeOf(field, "shown", { value: before }, { value: after })

/** Returns the changes as far as an entry has room for them: some fields unlisted, and some values left out. */
export const bounded = (all: ReadonlyArray<FieldChange>): Changes => {
  let bytes = 0
  const changes = all.slice(0, maxListed).map((change) => {
    if (change.before === undefined && change.after === undefined) return change
    bytes += JsonSize.bytesOf([change.before ?? null, change.after ?? null])
    return bytes <= maxBytes ? change : { field: change.field }
  })
  return { changes, unlistedChanges: all.length - changes.length }
}

/** Returns whether a change of a field has no entry: its values are equal, or those that an entry shows of them. */
const isSame = (rule: AnyRule, before: Side | null, after: Side | null): boolean => {
  if (before === null) return isEmpty(after?.value)
  if (after === null) return isEmpty(before.value)
  if (Equal.equals(before.value, after.value)) return true
  // A reference has copies of fields of its record, which may have changed since.
  return typeof rule === "object" && Equal.equals(show(rule, before.value), show(rule, after.value))
}

const compare = (
  rules: Readonly<Record<string, AnyRule>>,
  before: Fields | null,
  after: Fields | null
): ReadonlyArray<FieldChange> =>
  Object.entries(rules).flatMap(([name, rule]) => {
    if (rule === "ignored") return []
    const sideOf = (fields: Fields | null): Side | null => (fields === null ? null : { value: fields[name] })
    const [old, next] = [sideOf(before), sideOf(after)]
    if (isSame(rule, old, next)) return []
    return [changeOf(typeof rule === "object" ? rule.name : Wire.snakeKey(name), rule, old, next)]
  })

/**
 * Returns the fields that differ, in the order of the rules (D-AUD-4). Of a new record it returns the fields that have a
 * value, and of a deleted one those that had a value.
 */
export const of = <Entity extends object>(
  rules: FieldRules<Entity>,
  before: Entity | null,
  after: Entity | null
): Changes => bounded(compare(rules, fieldsOf(before), fieldsOf(after)))

const fieldsOf = (entity: object | null): Fields | null => (entity === null ? null : { ...entity })

/** Returns the changes of an entry that states facts instead of fields, for example how many records there were. */
export const facts = (given: Readonly<Record<string, Schema.Json>>): Changes =>
  bounded(Object.entries(given).map(([field, after]) => ({ field, after })))

/** Returns the changes of an entry that names fields and leaves their values out. */
export const names = (fields: ReadonlyArray<string>): Changes => bounded(fields.map((field) => ({ field })))
