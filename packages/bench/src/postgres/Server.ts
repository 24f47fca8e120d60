import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as ProcessCpu from "../ProcessCpu.ts"

/** A PostgreSQL server that writes a commit to the disk before it answers. */
export interface Server {
  /** Creates an empty database and returns its URL. */
  readonly database: (name: string) => Promise<string>
  /** Creates a copy of a database to which no process is connected, and returns its URL. */
  readonly copy: (name: string, original: string) => Promise<string>
  /**
   * Returns the CPU time that all its processes have used so far, in microseconds; undefined where the system has no
   * `/proc`.
   */
  readonly cpuMicros: () => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** Starts a server with memory settings for a machine of a few gigabytes. */
export const start = async (): Promise<Server> => {
  const server = await PostgresServer.make({
    durable: true,
    settings: { shared_buffers: "1GB", max_wal_size: "4GB", checkpoint_timeout: "15min" }
  })
  const administer = <A>(work: (sql: SqlClient) => Effect.Effect<A, unknown>): Promise<A> =>
    Effect.runPromise(
      Effect.provide(
        Effect.flatMap(SqlClient, work),
        PostgresStorage.layerClient({ url: Redacted.make(server.url), maxConnections: 1 })
      )
    )
  const main = await administer((sql) =>
    Effect.map(sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`, ([backend]) =>
      backend === undefined || !ProcessCpu.isKnown ? undefined : ProcessCpu.parentOf(backend.pid)
    )
  )
  const create = async (name: string, original = "template1"): Promise<string> => {
    await administer((sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${original}`))
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  return {
    database: (name) => create(name),
    copy: create,
    cpuMicros: () => Promise.resolve(main === undefined ? undefined : ProcessCpu.familyMicros(main)),
    stop: server.remove
  }
}
