import * as HashMap from "effect/HashMap"
import type * as Option from "effect/Option"

/** Rows by id, as an immutable value: a change is a new table, so that keeping the old one is a snapshot. */
export interface Table<out Row> {
  readonly lastId: number
  readonly rows: HashMap.HashMap<number, Row>
}

/** A table without rows. */
export const empty: Table<never> = { lastId: 0, rows: HashMap.empty() }

/** Adds a row under the next id. */
export const insert = <Row>(table: Table<Row>, make: (id: number) => Row): readonly [Row, Table<Row>] => {
  const id = table.lastId + 1
  const row = make(id)
  return [row, { lastId: id, rows: HashMap.set(table.rows, id, row) }]
}

/** The row of an id. */
export const get = <Row>(table: Table<Row>, id: number): Option.Option<Row> => HashMap.get(table.rows, id)

/** Changes the row of an id; without such a row the table stays. */
export const update = <Row>(table: Table<Row>, id: number, change: (row: Row) => Row): Table<Row> => ({
  ...table,
  rows: HashMap.modify(table.rows, id, change)
})

/** Puts rows in the place of those with their ids. */
export const replace = <Row>(table: Table<Row>, rows: Iterable<readonly [id: number, row: Row]>): Table<Row> => ({
  ...table,
  rows: HashMap.mutate(table.rows, (draft) => {
    for (const [id, row] of rows) HashMap.set(draft, id, row)
  })
})

/** Removes the row of an id, if there is one. */
export const remove = <Row>(table: Table<Row>, id: number): Table<Row> => ({
  ...table,
  rows: HashMap.remove(table.rows, id)
})

/** The rows that satisfy a predicate, by id. */
export const where = <Row>(table: Table<Row>, predicate: (row: Row) => boolean): ReadonlyArray<Row> =>
  HashMap.toEntries(table.rows)
    .filter(([, row]) => predicate(row))
    .toSorted(([a], [b]) => a - b)
    .map(([, row]) => row)
