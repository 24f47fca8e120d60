import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type CopyDialect, type Kind, list, quoted } from "./CopyDialect.ts"

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["INTEGER", "integer"],
  ["TEXT", "text"],
  ["BLOB", "bytes"]
])

const Trigger = Schema.Struct({ name: Schema.String, sql: Schema.String })

const Counter = Schema.Struct({ name: Schema.String })

/** SQLite. References are checked when the transaction ends. */
export const sqlite: CopyDialect = {
  beginRead: "BEGIN",
  beginWrite: "BEGIN IMMEDIATE",
  opening: ["PRAGMA defer_foreign_keys = ON"],
  place: "SELECT nullif(file, '') AS place FROM pragma_database_list WHERE name = 'main'",
  columns: `SELECT entry.name AS "table", field.name AS "column", field.type AS type, field.pk > 0 AS is_key,
      field.pk > 0 AND entry.sql LIKE '%AUTOINCREMENT%' AS is_counted
    FROM sqlite_master AS entry JOIN pragma_table_info(entry.name) AS field
    WHERE entry.type = 'table' ORDER BY entry.name, field.cid`,
  kind: (type) => kinds.get(type),
  highs: `SELECT name AS "table", CAST(seq AS TEXT) AS high FROM sqlite_sequence`,
  read: ({ kind, name }) => {
    const column = quoted(name)
    switch (kind) {
      case "text":
      case "json":
        return column
      case "bytes":
        return `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END`
      case "integer":
      case "flag":
      case "time":
        return `CAST(${column} AS TEXT)`
    }
  },
  problem: () => undefined,
  // The transaction that writes excludes every other.
  hold: () => Effect.void,
  empty: Effect.fnUntraced(function* (side, tables) {
    const names = JSON.stringify(tables.map(({ name }) => name))
    // They would count what is copied with the counts of the source.
    const triggers = yield* side.all(
      Trigger,
      `SELECT name, sql FROM sqlite_master
        WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?1))`,
      [names]
    )
    for (const { name } of triggers) yield* side.run(`DROP TRIGGER ${quoted(name)}`)
    for (const { name } of tables) yield* side.run(`DELETE FROM ${quoted(name)}`)
    return Effect.fnUntraced(function* (highs) {
      for (const { sql } of triggers) yield* side.run(sql)
      const counters = yield* side.all(
        Counter,
        `SELECT name FROM sqlite_master
          WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name IN (SELECT value FROM json_each(?1))`,
        [names]
      )
      for (const { name } of counters) {
        yield* side.run("DELETE FROM sqlite_sequence WHERE name = ?1", [name])
        yield* side.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, CAST(?2 AS INTEGER))", [
          name,
          String(highs.get(name) ?? 0n)
        ])
      }
    })
  }),
  insert: (side, { columns, name }) => {
    const values = columns.map(({ kind }, index) => (kind === "bytes" ? `unhex(?${index + 1})` : `?${index + 1}`))
    const text = `INSERT INTO ${quoted(name)} (${list(columns)}) VALUES (${values.join(", ")})`
    return (rows) => Effect.forEach(rows, (row) => side.run(text, Object.values(row.values)), { discard: true })
  }
}
