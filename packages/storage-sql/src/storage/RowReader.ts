import * as GeneratedCode from "@frontdesk/core/values/GeneratedCode"
import { snakeKey } from "@frontdesk/core/values/Wire"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Column from "./Column.ts"
import * as TextCache from "./TextCache.ts"
import * as ValueReader from "./ValueReader.ts"
import { checked, type Decode, flag, literals } from "./ValueReader.ts"

/** A schema of rows with columns in camelCase that needs no services. */
export type RowSchema = Schema.ConstraintDecoder<unknown>

/** Reads a row, whose values have the order of its columns. Returns undefined when only the schema can decide. */
type Read<A> = (row: ReadonlyArray<unknown>) => A | undefined

/**
 * Returns a function that returns the reader of rows with the given columns.
 *
 * A reader has the results of the schema and is many times faster. It reads columns under their own names (`start_time`
 * for `startTime`). It decodes numbers, texts, literals, flags, instants and `NullOr` without the schema, and any other
 * column with its schema. `Column.repeated` decodes each text once. `toStored` converts a value of the client to the
 * form that row schemas decode.
 *
 * A reader returns undefined for a row that does not decode, and for schemas that it does not support. Then the schema
 * must decode the row, and reports what is wrong. A law checks that readers and schemas agree.
 *
 * The reader of each array of columns is made once, so a driver should return the same array for the same columns.
 */
export const compile = <S extends RowSchema>(
  schema: S,
  toStored: ((value: unknown) => unknown) | null = null
): ((columns: ReadonlyArray<string>) => Read<S["Type"]>) => {
  const fields = fieldsOf(schema.ast)
  if (fields === undefined) return () => () => undefined
  const readers = new WeakMap<ReadonlyArray<string>, Read<S["Type"]>>()
  return (columns) => {
    const known = readers.get(columns)
    if (known !== undefined) return known
    const made = make<S["Type"]>(fields, columns, toStored)
    readers.set(columns, made)
    return made
  }
}

const make = <A>(
  fields: ReadonlyArray<Field>,
  columns: ReadonlyArray<string>,
  toStored: ((value: unknown) => unknown) | null
): Read<A> => {
  const cells: Array<Cell> = []
  for (const { column, decode, name } of fields) {
    const index = columns.lastIndexOf(column)
    // A missing column is left to the schema, which distinguishes it from undefined.
    if (index === -1) return () => undefined
    cells.push({ name, index, decode: toStored === null ? decode : (value) => decode(toStored(value)) })
  }
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
    -- Every column is decoded to its type, so the record is an `A`. The compiler cannot see that. */
  return (generated(cells) ?? interpreted(cells)) as Read<A>
}

/** Where the value of a field is in a row, and how it is decoded. */
interface Cell {
  readonly name: string
  readonly index: number
  readonly decode: Decode
}

/**
 * Returns a reader as generated code, which builds each record as a literal. That takes half the time of
 * {@link interpreted}. Returns undefined where code must not be generated, as with
 * `--disallow-code-generation-from-strings`.
 */
const generated = (cells: ReadonlyArray<Cell>): Read<unknown> | undefined => {
  const values = cells.map(
    ({ index }, at) => `const value${at} = $${at}(row[${index}])\nif (value${at} === undefined) return undefined\n`
  )
  const record = cells.map(({ name }, at) => `${JSON.stringify(name)}: value${at}`)
  return GeneratedCode.compile(
    "row",
    `${values.join("")}return { ${record.join(", ")} }`,
    cells.map(({ decode }) => decode)
  )
}

/** Returns the same reader as {@link generated} without generating code. */
const interpreted =
  (cells: ReadonlyArray<Cell>): Read<unknown> =>
  (row) => {
    const record: Record<string, unknown> = {}
    for (const { decode, index, name } of cells) {
      const value = decode(row[index])
      if (value === undefined) return undefined
      record[name] = value
    }
    return record
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
  return document(ast) ?? bySchema(ast)
}

/** The maximum distance of a `DateTime` from the epoch, in milliseconds. */
const maxMillis = 8_640_000_000_000_000

const time: Decode = (column) =>
  typeof column === "number" && Number.isInteger(column) && Math.abs(column) <= maxMillis
    ? DateTime.makeUnsafe(column)
    : undefined

const nullOr = (ast: SchemaAST.Union): Decode | undefined => {
  const [first, second, ...others] = ast.types
  if (first === undefined || second === undefined || others.length > 0) return undefined
  if (!SchemaAST.isNull(second) || second.encoding !== undefined || second.checks !== undefined) return undefined
  const decode = decoder(first)
  return (column) => (column === null ? null : decode(column))
}

/** Returns a decoder of a column with a JSON document. What it does not decode is left to the schema of the column. */
const document = (ast: SchemaAST.AST): Decode | undefined => {
  const of = Column.documentOf(ast)
  if (of === undefined || Column.isRepeated(ast)) return undefined
  const decode = ValueReader.compile(of)
  if (decode === undefined) return undefined
  const byOwnSchema = bySchema(ast)
  return (column) => (typeof column === "string" ? decode(parsed(column)) : undefined) ?? byOwnSchema(column)
}

/** Returns the value of a JSON text, or undefined for another text. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const bySchema = (ast: SchemaAST.AST): Decode => {
  const decode = Schema.decodeUnknownResult(Schema.make<RowSchema>(ast))
  // Undefined is left to the schema of the row, as a missing column is.
  const decoded: Decode = (column) => (column === undefined ? undefined : Result.getOrUndefined(decode(column)))
  if (!Column.isRepeated(ast)) return decoded
  const remembered = TextCache.byText(decoded)
  return (column) => (typeof column === "string" ? remembered(column) : undefined)
}
