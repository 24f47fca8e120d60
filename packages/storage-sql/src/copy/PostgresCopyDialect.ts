import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Column, type CopyDialect, type Kind, list, quoted } from "./CopyDialect.ts"
import type { ValueProblem } from "./CopyError.ts"

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["bigint", "integer"],
  ["integer", "integer"],
  ["boolean", "flag"],
  ["timestamp with time zone", "time"],
  ["text", "text"],
  ["json", "json"],
  ["bytea", "bytes"]
])

const present = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

const Reference = Schema.Struct({ table: Schema.String, name: Schema.String, definition: Schema.String })

/** The first instant of the calendar, the beginning of 4714-11-24 BC. */
const first = -210_866_803_200_000

/** A column of a record of texts as it is kept. */
const written = ({ kind, name }: Column): string => {
  const column = quoted(name)
  switch (kind) {
    case "text":
      return column
    case "integer":
      return `CAST(${column} AS bigint)`
    case "flag":
      return `CAST(${column} AS boolean)`
    case "json":
      return `CAST(${column} AS json)`
    case "bytes":
      return `decode(${column}, 'hex')`
    case "time":
      // Hours are whole and seconds few, so that nothing is rounded.
      return `timestamptz 'epoch' + make_interval(hours => CAST(CAST(${column} AS bigint) / 3600000 AS integer),
        secs => CAST(CAST(${column} AS bigint) % 3600000 AS double precision) / 1000)`
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const problem = (kind: Kind, value: string): ValueProblem | undefined => {
  switch (kind) {
    case "text":
      return value.includes("\0") ? "nul" : undefined
    case "json":
      return value.includes("\0") ? "nul" : isJson(value) ? undefined : "json"
    case "time":
      return Number(value) < first ? "time" : undefined
    case "integer":
    case "flag":
    case "bytes":
      return undefined
  }
}

/**
 * PostgreSQL. References are dropped while rows are added and made anew after it, which also checks them all at once.
 */
export const postgres: CopyDialect = {
  beginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  beginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  opening: [
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    // Whoever holds the tables is either about to end or a server that should not be there.
    "SET LOCAL lock_timeout = '10s'"
  ],
  place: `SELECT concat_ws(' ', pg_postmaster_start_time(), oid, current_schema()) AS place
    FROM pg_database WHERE datname = current_database()`,
  columns: `SELECT CAST(entry.relname AS text) AS "table", CAST(field.attname AS text) AS "column",
      format_type(field.atttypid, NULL) AS type,
      CAST(coalesce(field.attnum = ANY (key.indkey), FALSE) AS integer) AS is_key,
      CAST(field.attidentity <> '' AS integer) AS is_counted
    FROM pg_class AS entry JOIN pg_attribute AS field
      ON field.attrelid = entry.oid AND field.attnum > 0 AND NOT field.attisdropped
    LEFT JOIN pg_index AS key ON key.indrelid = entry.oid AND key.indisprimary
    WHERE entry.relnamespace = ${present} AND entry.relkind IN ('r', 'p')
    ORDER BY entry.relname, field.attnum`,
  kind: (type) => kinds.get(type),
  highs: `SELECT CAST(entry.relname AS text) AS "table", CAST(coalesce(pg_sequence_last_value(
      CAST(pg_get_serial_sequence(quote_ident(entry.relname), field.attname) AS regclass)), 0) AS text) AS high
    FROM pg_class AS entry JOIN pg_attribute AS field ON field.attrelid = entry.oid
    WHERE entry.relnamespace = ${present} AND field.attidentity <> ''`,
  read: ({ kind, name }) => {
    const column = quoted(name)
    switch (kind) {
      case "text":
        return column
      case "integer":
      case "json":
        return `CAST(${column} AS text)`
      case "flag":
        return `CAST(CAST(${column} AS integer) AS text)`
      case "time":
        return `CAST(CAST(round(extract(epoch FROM ${column}) * 1000) AS bigint) AS text)`
      case "bytes":
        return `encode(${column}, 'hex')`
    }
  },
  problem,
  hold: (side, tables) => side.run(`LOCK TABLE ${list(tables)} IN ACCESS EXCLUSIVE MODE`),
  empty: Effect.fnUntraced(function* (side, tables) {
    const names = JSON.stringify(tables.map(({ name }) => name))
    const references = yield* side.all(
      Reference,
      `SELECT CAST(entry.relname AS text) AS "table", CAST(rule.conname AS text) AS name,
          pg_get_constraintdef(rule.oid) AS definition
        FROM pg_constraint AS rule JOIN pg_class AS entry ON entry.oid = rule.conrelid
        WHERE rule.contype = 'f' AND entry.relnamespace = ${present}
          AND entry.relname IN (SELECT json_array_elements_text(CAST($1 AS json)))`,
      [names]
    )
    for (const { name, table } of references) {
      yield* side.run(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`)
    }
    yield* side.run(`TRUNCATE ${list(tables)}`)
    // They would count what is copied with the counts of the source.
    for (const { name } of tables) yield* side.run(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
    return Effect.fnUntraced(function* (highs) {
      for (const { name } of tables) yield* side.run(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
      for (const { definition, name, table } of references) {
        yield* side.run(`ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`)
      }
      for (const { columns, name } of tables) {
        for (const column of columns.filter(({ isCounted }) => isCounted)) {
          // Unlike `setval` it is undone with the transaction.
          yield* side.run(
            `ALTER TABLE ${quoted(name)} ALTER COLUMN ${quoted(column.name)} RESTART WITH ${(highs.get(name) ?? 0n) + 1n}`
          )
        }
      }
      // Until the statistics are there no plan is a good one.
      yield* side.run(`ANALYZE ${list(tables)}`)
    })
  }),
  insert: (side, { columns, name }) => {
    const text = `INSERT INTO ${quoted(name)} (${list(columns)})
      SELECT ${columns.map(written).join(", ")}
      FROM json_to_recordset(CAST($1 AS json)) AS record(${columns.map(({ name }) => `${quoted(name)} text`).join(", ")})`
    return (rows) => side.run(text, [`[${rows.map((row) => row.text).join(",")}]`])
  }
}
