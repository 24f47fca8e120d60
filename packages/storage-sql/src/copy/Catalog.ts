import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Column, Kind, Table } from "./CopyDialect.ts"
import type { CopyFailed } from "./CopyError.ts"
import type { Side } from "./CopySide.ts"

const ColumnRow = Schema.Struct({
  table: Schema.String,
  column: Schema.String,
  type: Schema.String,
  is_key: Schema.BooleanFromBit,
  is_counted: Schema.BooleanFromBit
})

/**
 * The columns of every table of a database, by the names of the tables; what no column of Frontdesk holds is left out.
 */
export type Catalog = ReadonlyMap<string, ReadonlyArray<Column>>

/** Reads the catalog of a database. */
export const read = Effect.fnUntraced(function* (side: Side): Effect.fn.Return<Catalog, CopyFailed> {
  const catalog = new Map<string, Array<Column>>()
  for (const row of yield* side.all(ColumnRow, side.dialect.columns)) {
    const columns = catalog.get(row.table) ?? []
    catalog.set(row.table, columns)
    const kind = side.dialect.kind(row.type)
    if (kind !== undefined) columns.push({ name: row.column, kind, isKey: row.is_key, isCounted: row.is_counted })
  }
  return catalog
})

/** What a database that knows fewer kinds keeps each as. */
const plain: { readonly [K in Kind]?: Kind } = { flag: "integer", time: "integer", json: "text" }

/** What a column holds that two databases declare; undefined when they disagree. */
const together = (one: Kind, other: Kind): Kind | undefined =>
  one === other || plain[other] === one ? other : plain[one] === other ? one : undefined

/**
 * The tables of the target with what is known of them from both databases; undefined unless both have all of them with
 * the same columns.
 */
export const match = (
  names: ReadonlyArray<string>,
  source: Catalog,
  target: Catalog
): ReadonlyArray<Table> | undefined => {
  const tables: Array<Table> = []
  for (const name of names) {
    const given = source.get(name)
    const columns = target.get(name)?.flatMap((column): ReadonlyArray<Column> => {
      const twin = given?.find((other) => other.name === column.name)
      const kind = twin === undefined ? undefined : together(twin.kind, column.kind)
      return kind === undefined ? [] : [{ ...column, kind }]
    })
    if (columns === undefined || columns.length !== given?.length) return undefined
    if (columns.length !== target.get(name)?.length) return undefined
    tables.push({ name, columns })
  }
  return tables
}
