import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as Engine from "../deliveries/Engine.ts"
import type { Inbox } from "../deliveries/Inbox.ts"
import * as Rounds from "../Rounds.ts"

const endpoints = 64

/** The number of webhook events that are published at once. */
const producers = 8

const tables = ["webhook_event", "webhook_delivery", "webhook_attempt"]

/** The work of a server in a database so far: bytes of its write-ahead log, and counts. */
interface Work {
  readonly wal: number
  readonly commits: number
  readonly updates: number
  /** Updates that changed no index. */
  readonly hot: number
}

/** The bytes of a table. */
interface Size {
  readonly rows: number
  readonly indexes: number
}

const workText = `SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS float8) AS wal,
  (SELECT CAST(xact_commit AS float8) FROM pg_stat_database WHERE datname = current_database()) AS commits,
  (SELECT CAST(sum(n_tup_upd) AS float8) FROM pg_stat_user_tables) AS updates,
  (SELECT CAST(sum(n_tup_hot_upd) AS float8) FROM pg_stat_user_tables) AS hot`

const sizeText = (table: string): string =>
  `SELECT CAST(pg_table_size('${table}') AS float8) AS rows, CAST(pg_indexes_size('${table}') AS float8) AS indexes`

const whole = (value: number): string => Math.round(value).toLocaleString("en")

/**
 * Prints what a webhook event and its delivery leave in the database: write-ahead log, commits, updates and bytes. Each
 * step opens its own connections, because PostgreSQL counts the work of a connection when it closes, or ten seconds
 * later.
 */
export const run = async (databaseUrl: string, inbox: Inbox, count: number): Promise<void> => {
  const asked = <A extends object>(text: string): Promise<A> =>
    Effect.runPromise(
      Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql.unsafe<A>(text)),
        PostgresStorage.layerClient({ url: Redacted.make(databaseUrl), maxConnections: 1 })
      )
    ).then(([row]) => {
      if (row === undefined) throw new Error("The query returned no row.")
      return row
    })
  const asServer = <A, E>(work: Effect.Effect<A, E, Engine.Services>): Promise<A> =>
    Effect.runPromise(Effect.provide(work, Engine.layer(databaseUrl)))

  const accounts = await asServer(
    Effect.forEach(Engine.idsFrom(0, endpoints), (id) => Engine.subscribe([inbox.url(`/${id}`)], "call.ended"))
  )
  const start = await asked<Work>(workText)
  await asServer(
    Effect.forEach(Engine.idsFrom(1, count), (id) => Engine.raise(accounts, [id]), {
      concurrency: producers,
      discard: true
    })
  )
  const raised = await asked<Work>(workText)
  await asServer(Engine.deliveringWhile(Effect.void))
  const delivered = await asked<Work>(workText)

  console.log(Rounds.row("for each delivery", ["WAL bytes", "commits", "updates", "of them HOT"]))
  const printed = (name: string, before: Work, after: Work): void => {
    const counts = [after.commits - before.commits, after.updates - before.updates, after.hot - before.hot]
    const cells = [whole((after.wal - before.wal) / count), ...counts.map((value) => (value / count).toFixed(2))]
    console.log(Rounds.row(name, cells))
  }
  printed("its event is published", start, raised)
  printed("it is sent and recorded", raised, delivered)
  console.log(Rounds.row("stored for each delivery", ["rows, bytes", "indexes", "together"]))
  for (const table of tables) {
    const { indexes, rows } = await asked<Size>(sizeText(table))
    console.log(
      Rounds.row(
        table,
        [rows, indexes, rows + indexes].map((bytes) => whole(bytes / count))
      )
    )
  }
}
