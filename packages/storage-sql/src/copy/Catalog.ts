import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CopyClient } from "./CopyClient.ts"
import type { CopyFailed } from "./CopyError.ts"
import type { Column, Kind, Table } from "./CopyTable.ts"

const ColumnRow = Schema.Struct({
  table: Schema.String,
  column: Schema.String,
  type: Schema.String,
  is_key: Schema.BooleanFromBit,
  is_generated: Schema.BooleanFromBit
})

/**
 * The columns of every table of a database, by table name. Columns of types that Frontdesk does not use are left out.
 */
export type Catalog = ReadonlyMap<string, ReadonlyArray<Column>>

/** Reads the catalog of a database. */
export const read = Effect.fnUntraced(function* (client: CopyClient): Effect.fn.Return<Catalog, CopyFailed> {
  const catalog = new Map<string, Array<Column>>()
  for (const row of yield* client.all(ColumnRow, client.dialect.columns)) {
    const columns = catalog.get(row.table) ?? []
    catalog.set(row.table, columns)
    const kind = client.dialect.kind(row.type)
    if (kind !== undefined) columns.push({ name: row.column, kind, isKey: row.is_key, isGenerated: row.is_generated })
  }
  return catalog
})

/** The kind under which SQLite, which has fewer types, stores a kind. */
const storedAs: { readonly [K in Kind]?: Kind } = { flag: "integer", time: "integer", json: "text" }

/**
 * Returns the kind of a column that two databases declare, or undefined when their declarations contradict each other.
 */
const commonKind = (one: Kind, other: Kind): Kind | undefined =>
  one === other || storedAs[other] === one ? other : storedAs[one] === other ? one : undefined

/**
 * Returns the named tables with the columns of the target, whose kinds both catalogs determine. Returns undefined
 * unless both databases have all of the tables, with the same columns.
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
      const sourceColumn = given?.find((other) => other.name === column.name)
      const kind = sourceColumn === undefined ? undefined : commonKind(sourceColumn.kind, column.kind)
      return kind === undefined ? [] : [{ ...column, kind }]
    })
    if (columns === undefined || columns.length !== given?.length) return undefined
    if (columns.length !== target.get(name)?.length) return undefined
    tables.push({ name, columns })
  }
  return tables
}
