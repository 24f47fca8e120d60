import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CopyDialect } from "./CopyDialect.ts"
import { type Kind, quoted, quotedList } from "./CopyTable.ts"

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["INTEGER", "integer"],
  ["TEXT", "text"],
  ["BLOB", "bytes"]
])

const Trigger = Schema.Struct({ name: Schema.String, sql: Schema.String })

const GeneratingTable = Schema.Struct({ name: Schema.String })

/** The dialect of SQLite. Foreign keys are checked when the transaction ends. */
export const sqlite: CopyDialect = {
  beginRead: "BEGIN",
  beginWrite: "BEGIN IMMEDIATE",
  opening: ["PRAGMA defer_foreign_keys = ON"],
  place: "SELECT nullif(file, '') AS place FROM pragma_database_list WHERE name = 'main'",
  columns: `SELECT entry.name AS "table", field.name AS "column", field.type AS type, field.pk > 0 AS is_key,
      field.pk > 0 AND entry.sql LIKE '%AUTOINCREMENT%' AS is_generated
    FROM sqlite_master AS entry JOIN pragma_table_info(entry.name) AS field
    WHERE entry.type = 'table' ORDER BY entry.name, field.cid`,
  kind: (type) => kinds.get(type),
  highestIds: `SELECT name AS "table", CAST(seq AS TEXT) AS highest FROM sqlite_sequence`,
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
  // A writing transaction already excludes every other one.
  lock: () => Effect.void,
  empty: Effect.fnUntraced(function* (target, tables) {
    const names = JSON.stringify(tables.map(({ name }) => name))
    // The triggers would count the copied rows again, although their counts are copied too.
    const triggers = yield* target.all(
      Trigger,
      `SELECT name, sql FROM sqlite_master
        WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?1))`,
      [names]
    )
    for (const { name } of triggers) yield* target.run(`DROP TRIGGER ${quoted(name)}`)
    for (const { name } of tables) yield* target.run(`DELETE FROM ${quoted(name)}`)
    return Effect.fnUntraced(function* (highestIds) {
      for (const { sql } of triggers) yield* target.run(sql)
      const generating = yield* target.all(
        GeneratingTable,
        `SELECT name FROM sqlite_master
          WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name IN (SELECT value FROM json_each(?1))`,
        [names]
      )
      for (const { name } of generating) {
        yield* target.run("DELETE FROM sqlite_sequence WHERE name = ?1", [name])
        yield* target.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, CAST(?2 AS INTEGER))", [
          name,
          String(highestIds.get(name) ?? 0n)
        ])
      }
    })
  }),
  insert: (target, { columns, name }) => {
    const values = columns.map(({ kind }, index) => (kind === "bytes" ? `unhex(?${index + 1})` : `?${index + 1}`))
    const text = `INSERT INTO ${quoted(name)} (${quotedList(columns)}) VALUES (${values.join(", ")})`
    return (rows) => Effect.forEach(rows, (row) => target.run(text, Object.values(row.values)), { discard: true })
  }
}
