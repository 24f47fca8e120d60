import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CopyDialect } from "./CopyDialect.ts"
import type { ValueProblem } from "./CopyError.ts"
import { type Column, type Kind, quoted, quotedList } from "./CopyTable.ts"

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["bigint", "integer"],
  ["integer", "integer"],
  ["boolean", "flag"],
  ["timestamp with time zone", "time"],
  ["text", "text"],
  ["json", "json"],
  ["bytea", "bytes"]
])

const currentSchema = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

const Reference = Schema.Struct({ table: Schema.String, name: Schema.String, definition: Schema.String })

/** The first instant of PostgreSQL's calendar, the beginning of 4714-11-24 BC, in epoch milliseconds. */
const firstInstant = -210_866_803_200_000

/**
 * Returns the expression that converts a column of a record, which is a text, to the type of the column in the table.
 */
const converted = ({ kind, name }: Column): string => {
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
      // Whole hours and few seconds, so that the floating-point seconds are exact.
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
      return Number(value) < firstInstant ? "time" : undefined
    case "integer":
    case "flag":
    case "bytes":
      return undefined
  }
}

/**
 * The dialect of PostgreSQL. Foreign keys are dropped while rows are added. Creating them again afterwards checks all
 * rows at once.
 */
export const postgres: CopyDialect = {
  beginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  beginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  opening: [
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    // Transactions of a server that should be stopped may hold locks on the tables. The copy fails then, instead of
    // waiting for ever.
    "SET LOCAL lock_timeout = '10s'"
  ],
  place: `SELECT concat_ws(' ', pg_postmaster_start_time(), oid, current_schema()) AS place
    FROM pg_database WHERE datname = current_database()`,
  columns: `SELECT CAST(entry.relname AS text) AS "table", CAST(field.attname AS text) AS "column",
      format_type(field.atttypid, NULL) AS type,
      CAST(coalesce(field.attnum = ANY (key.indkey), FALSE) AS integer) AS is_key,
      CAST(field.attidentity <> '' AS integer) AS is_generated
    FROM pg_class AS entry JOIN pg_attribute AS field
      ON field.attrelid = entry.oid AND field.attnum > 0 AND NOT field.attisdropped
    LEFT JOIN pg_index AS key ON key.indrelid = entry.oid AND key.indisprimary
    WHERE entry.relnamespace = ${currentSchema} AND entry.relkind IN ('r', 'p')
    ORDER BY entry.relname, field.attnum`,
  kind: (type) => kinds.get(type),
  highestIds: `SELECT CAST(entry.relname AS text) AS "table", CAST(coalesce(pg_sequence_last_value(
      CAST(pg_get_serial_sequence(quote_ident(entry.relname), field.attname) AS regclass)), 0) AS text) AS highest
    FROM pg_class AS entry JOIN pg_attribute AS field ON field.attrelid = entry.oid
    WHERE entry.relnamespace = ${currentSchema} AND field.attidentity <> ''`,
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
  lock: (target, tables) => target.run(`LOCK TABLE ${quotedList(tables)} IN ACCESS EXCLUSIVE MODE`),
  empty: Effect.fnUntraced(function* (target, tables) {
    const names = JSON.stringify(tables.map(({ name }) => name))
    const references = yield* target.all(
      Reference,
      `SELECT CAST(entry.relname AS text) AS "table", CAST(rule.conname AS text) AS name,
          pg_get_constraintdef(rule.oid) AS definition
        FROM pg_constraint AS rule JOIN pg_class AS entry ON entry.oid = rule.conrelid
        WHERE rule.contype = 'f' AND entry.relnamespace = ${currentSchema}
          AND entry.relname IN (SELECT json_array_elements_text(CAST($1 AS json)))`,
      [names]
    )
    for (const { name, table } of references) {
      yield* target.run(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`)
    }
    yield* target.run(`TRUNCATE ${quotedList(tables)}`)
    // The triggers would count the copied rows again, although their counts are copied too.
    for (const { name } of tables) yield* target.run(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
    return Effect.fnUntraced(function* (highestIds) {
      for (const { name } of tables) yield* target.run(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
      for (const { definition, name, table } of references) {
        yield* target.run(`ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`)
      }
      for (const { columns, name } of tables) {
        for (const column of columns.filter(({ isGenerated }) => isGenerated)) {
          // Unlike `setval`, this is rolled back with the transaction.
          yield* target.run(
            `ALTER TABLE ${quoted(name)} ALTER COLUMN ${quoted(column.name)} RESTART WITH ${(highestIds.get(name) ?? 0n) + 1n}`
          )
        }
      }
      // Without statistics, PostgreSQL would plan the first statements badly.
      yield* target.run(`ANALYZE ${quotedList(tables)}`)
    })
  }),
  insert: (target, { columns, name }) => {
    const text = `INSERT INTO ${quoted(name)} (${quotedList(columns)})
      SELECT ${columns.map(converted).join(", ")}
      FROM json_to_recordset(CAST($1 AS json)) AS record(${columns.map(({ name }) => `${quoted(name)} text`).join(", ")})`
    return (rows) => target.run(text, [`[${rows.map((row) => row.text).join(",")}]`])
  }
}
