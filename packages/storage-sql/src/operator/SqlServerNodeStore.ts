import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const NodeRow = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  runtime: Schema.String,
  workers: Schema.Int,
  restarting: Schema.Int,
  startedAt: Column.Time,
  reportedAt: Column.Time
})

/** The `ServerNodeStore` in a SQL database. */
export const layer: Layer.Layer<ServerNodeStore, never, Database> = Layer.effect(
  ServerNodeStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const reported = database.run("ServerNodeStore.report")
    const listed = database.readable("ServerNodeStore.list", NodeRow)
    const deleted = database.run("ServerNodeStore.delete")
    const report = WriteStatements.inserter(
      "server_node",
      ` ON CONFLICT (name) DO UPDATE SET version = excluded.version, runtime = excluded.runtime,
        workers = excluded.workers, restarting = excluded.restarting, started_at = excluded.started_at, reported_at = excluded.reported_at`
    )

    return ServerNodeStore.of({
      report: ({ name, reportedAt, restarting, runtime, startedAt, version, workers }) =>
        reported(
          ...report({
            name,
            version,
            runtime,
            workers,
            restarting,
            started_at: dialect.time(startedAt),
            reported_at: dialect.time(reportedAt)
          })
        ),
      list: (limit) =>
        listed(
          `SELECT name, version, runtime, workers, restarting, started_at, reported_at FROM server_node
            ORDER BY reported_at DESC LIMIT ?1`,
          [limit]
        ),
      delete: ({ name, startedAt }) =>
        deleted("DELETE FROM server_node WHERE name = ?1 AND started_at = ?2", [name, dialect.time(startedAt)]),
      sweep: SweepStatement.deletion(database, "ServerNodeStore.sweep", {
        table: "server_node",
        key: ["name"],
        where: "reported_at < ?1",
        order: "reported_at, name",
        sized: []
      })
    })
  })
)
