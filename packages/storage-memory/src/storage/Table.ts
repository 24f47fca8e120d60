import * as HashMap from "effect/HashMap"
import type * as Option from "effect/Option"

/** Rows by id, as an immutable value. A change returns a new table, so an earlier table is a snapshot. */
export interface Table<out Row> {
  readonly lastId: number
  readonly rows: HashMap.HashMap<number, Row>
}

/** A table without rows. */
export const empty: Table<never> = { lastId: 0, rows: HashMap.empty() }

/** Adds a row with the next id. Returns the row and the new table. */
export const insert = <Row>(table: Table<Row>, make: (id: number) => Row): readonly [Row, Table<Row>] => {
  const id = table.lastId + 1
  const row = make(id)
  return [row, { lastId: id, rows: HashMap.set(table.rows, id, row) }]
}

/** Returns the row with an id. */
export const get = <Row>(table: Table<Row>, id: number): Option.Option<Row> => HashMap.get(table.rows, id)

/** Changes the row with an id. Returns the table unchanged if there is none. */
export const update = <Row>(table: Table<Row>, id: number, change: (row: Row) => Row): Table<Row> => ({
  ...table,
  rows: HashMap.modify(table.rows, id, change)
})

/** Replaces the rows with the given ids. */
export const replace = <Row>(table: Table<Row>, rows: Iterable<readonly [id: number, row: Row]>): Table<Row> => ({
  ...table,
  rows: HashMap.mutate(table.rows, (draft) => {
    for (const [id, row] of rows) HashMap.set(draft, id, row)
  })
})

/** Removes the row with an id, if there is one. */
export const remove = <Row>(table: Table<Row>, id: number): Table<Row> => ({
  ...table,
  rows: HashMap.remove(table.rows, id)
})

/** Removes the rows with the given ids. */
export const removeAll = <Row>(table: Table<Row>, ids: Iterable<number>): Table<Row> => ({
  ...table,
  rows: HashMap.removeMany(table.rows, ids)
})

/** Returns the rows that satisfy a predicate, ordered by id. */
export const where = <Row>(table: Table<Row>, predicate: (row: Row) => boolean): ReadonlyArray<Row> =>
  HashMap.toEntries(table.rows)
    .filter(([, row]) => predicate(row))
    .toSorted(([a], [b]) => a - b)
    .map(([, row]) => row)
