import { snakeKey } from "@frontdesk/core/values/Wire"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Column from "./Column.ts"
import * as TextCache from "./TextCache.ts"

/** A schema of rows with columns in camelCase that needs no services. */
export type RowSchema = Schema.ConstraintDecoder<unknown>

/** Decodes a column. Returns undefined when only the schema can decide. */
type Decode = (column: unknown) => unknown

/**
 * Returns a decoder that has the results of the schema and is several times faster. It reads columns under their own
 * names (`start_time` for `startTime`). It decodes numbers, texts, literals, flags, instants and `NullOr` without the
 * schema, and any other column with its schema. `Column.repeated` decodes each text once.
 *
 * The decoder returns undefined for a row that does not decode, and for schemas that it does not support. Then the
 * schema must decode the row, and reports what is wrong. A law checks that the decoder and the schema agree.
 */
export const compile = <S extends RowSchema>(schema: S): ((row: object) => S["Type"] | undefined) => {
  const fields = fieldsOf(schema.ast)
  if (fields === undefined) return () => undefined
  const fill = (decoded: Record<string, unknown>, row: object): decoded is S["Type"] & Record<string, unknown> => {
    if (!Predicate.isObject(row)) return false
    for (const { column, decode, name } of fields) {
      const given = row[column]
      // A missing column is left to the schema, which distinguishes it from undefined.
      const value = given === undefined ? undefined : decode(given)
      if (value === undefined) return false
      decoded[name] = value
    }
    return true
  }
  return (row) => {
    const decoded: Record<string, unknown> = {}
    return fill(decoded, row) ? decoded : undefined
  }
}

interface Field {
  readonly name: string
  readonly column: string
  readonly decode: Decode
}

/**
 * Returns the fields of a struct schema that this decoder supports. A struct without fields accepts every row
 * unchanged, so the schema decodes it.
 */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> | undefined => {
  if (!SchemaAST.isObjects(ast) || ast.encoding !== undefined || ast.checks !== undefined) return undefined
  if (ast.indexSignatures.length > 0 || ast.propertySignatures.length === 0) return undefined
  const fields: Array<Field> = []
  for (const { name, type } of ast.propertySignatures) {
    if (typeof name !== "string" || SchemaAST.isOptional(type)) return undefined
    fields.push({ name, column: snakeKey(name), decode: decoder(type) })
  }
  return fields
}

const decoder = (ast: SchemaAST.AST): Decode => {
  if (ast === Column.Time.ast) return time
  if (ast === Column.Flag.ast) return flag
  if (ast.encoding === undefined) {
    if (SchemaAST.isString(ast)) return checked(ast, (column) => (typeof column === "string" ? column : undefined))
    if (SchemaAST.isNumber(ast)) return checked(ast, (column) => (typeof column === "number" ? column : undefined))
    if (SchemaAST.isUnion(ast) && ast.checks === undefined) return nullOr(ast) ?? literals(ast) ?? bySchema(ast)
  }
  return bySchema(ast)
}

/** The maximum distance of a `DateTime` from the epoch, in milliseconds. */
const maxMillis = 8_640_000_000_000_000

const time: Decode = (column) =>
  typeof column === "number" && Number.isInteger(column) && Math.abs(column) <= maxMillis
    ? DateTime.makeUnsafe(column)
    : undefined

const flag: Decode = (column) => (column === 1 ? true : column === 0 ? false : undefined)

/** Returns a decoder that also applies the checks of the schema. */
const checked = (ast: SchemaAST.AST, decode: Decode): Decode => {
  if (ast === Schema.Int.ast) return (column) => (Number.isSafeInteger(column) ? column : undefined)
  const filters = filtersOf(ast.checks ?? [])
  if (filters.length === 0) return decode
  return (column) => {
    const value = decode(column)
    if (value === undefined) return undefined
    for (const filter of filters) {
      if (filter.run(value, ast, {}) !== undefined) return undefined
    }
    return value
  }
}

const filtersOf = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

const nullOr = (ast: SchemaAST.Union): Decode | undefined => {
  const [first, second, ...others] = ast.types
  if (first === undefined || second === undefined || others.length > 0) return undefined
  if (!SchemaAST.isNull(second) || second.encoding !== undefined || second.checks !== undefined) return undefined
  const decode = decoder(first)
  return (column) => (column === null ? null : decode(column))
}

const literals = (ast: SchemaAST.Union): Decode | undefined => {
  const known = new Set<unknown>()
  for (const type of ast.types) {
    if (!SchemaAST.isLiteral(type) || type.encoding !== undefined || type.checks !== undefined) return undefined
    known.add(type.literal)
  }
  return (column) => (known.has(column) ? column : undefined)
}

const bySchema = (ast: SchemaAST.AST): Decode => {
  const decode = Schema.decodeUnknownResult(Schema.make<RowSchema>(ast))
  const decoded: Decode = (column) => Result.getOrUndefined(decode(column))
  if (!Column.isRepeated(ast)) return decoded
  const remembered = TextCache.byText(decoded)
  return (column) => (typeof column === "string" ? remembered(column) : undefined)
}
