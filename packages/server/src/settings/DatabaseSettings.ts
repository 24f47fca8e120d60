import { Cell } from "@frontdesk/core/access/Cell"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { define } from "./Setting.ts"
import * as SettingCodecs from "./SettingCodecs.ts"

const cell: TextReader<Cell> = (text) =>
  Result.map(SettingCodecs.number("a whole number from 0 to 8191", Schema.is(Cell))(text), (number) =>
    Cell.make(number)
  )

/** The setting for the database, which every command reads. */
export const databaseUrl = define({
  variable: "FRONTDESK_DATABASE_URL",
  meaning:
    "The database: sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/DATABASE, or sqlite::memory:, which loses its data at the end",
  fallback: "sqlite:./data/frontdesk.db",
  example: "sqlite:./data/frontdesk.db",
  codec: SettingCodecs.read(DatabaseUrl.DatabaseUrl, DatabaseUrl.parse)
})

/** The settings for PostgreSQL. They have no effect with SQLite. */
export const postgresSettings = {
  databaseConnections: define({
    variable: "FRONTDESK_DATABASE_CONNECTIONS",
    meaning: "Maximum number of connections to PostgreSQL for requests, without the one that listens",
    fallback: "10",
    example: "10",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number(
        "a whole number from 1 to 1000",
        (count) => Number.isInteger(count) && count >= 1 && count <= 1_000
      )
    )
  }),
  databaseWorkerConnections: define({
    variable: "FRONTDESK_DATABASE_WORKER_CONNECTIONS",
    meaning: "Maximum number of further connections to PostgreSQL for background work",
    fallback: "4",
    example: "4",
    codec: SettingCodecs.read(
      Schema.Int,
      SettingCodecs.number(
        "a whole number from 1 to 1000",
        (count) => Number.isInteger(count) && count >= 1 && count <= 1_000
      )
    )
  }),
  databaseStatementTimeout: define({
    variable: "FRONTDESK_DATABASE_STATEMENT_TIMEOUT",
    meaning: "Timeout of a statement in PostgreSQL, from 0.1 seconds to a day",
    fallback: "10 seconds",
    example: "10 seconds",
    codec: SettingCodecs.read(Schema.Duration, SettingCodecs.durationBetween(Duration.millis(100), Duration.days(1)))
  }),
  databasePooler: define({
    variable: "FRONTDESK_DATABASE_POOLER",
    meaning: "Pooler in front of PostgreSQL, such as PgBouncer: none, or transaction for its transaction mode",
    fallback: "none",
    example: "transaction",
    codec: SettingCodecs.read(
      Schema.NullOr(Schema.Literal("transaction")),
      SettingCodecs.choice({ none: null, transaction: "transaction" } as const)
    )
  }),
  databaseListenUrl: define({
    variable: "FRONTDESK_DATABASE_LISTEN_URL",
    meaning: "The same database without the pooler, to receive notifications of other nodes",
    fallback: "",
    fallbackInWords: "none",
    example: "postgres://frontdesk:secret@db.example.com:5432/frontdesk",
    isSecret: true,
    codec: SettingCodecs.read(
      Schema.NullOr(Schema.Redacted(Schema.String)),
      SettingCodecs.orNull(DatabaseUrl.parsePostgres)
    )
  }),
  databaseCell: define({
    variable: "FRONTDESK_DATABASE_CELL",
    meaning: "Number of the cell, when several PostgreSQL databases have a share of the accounts each: 0 to 8191",
    fallback: "",
    fallbackInWords: "that of the database; 0 for a new one",
    example: "3",
    codec: SettingCodecs.read(Schema.NullOr(Cell), SettingCodecs.orNull(cell))
  })
}
