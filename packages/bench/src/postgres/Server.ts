import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as fs from "node:fs"

/** A PostgreSQL server of its own that makes a commit wait for the disk. */
export interface Server {
  /** Makes an empty database. Answers its URL. */
  readonly database: (name: string) => Promise<string>
  /**
   * The CPU time that all its processes have used so far, in microseconds; undefined where the system has no `/proc`.
   */
  readonly cpuMicros: () => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** Linux counts the time of a process in hundredths of a second, whatever its own clock does. */
const tick = 10_000

/** What `/proc` tells of a process: its parent, and the ticks of itself and of its children that have ended. */
const statOf = (pid: number | string) => {
  // The second field is a name in parentheses, in which anything may stand.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent: fields[1], own: user + system, ended: endedUser + endedSystem }
}

const isProcess = (name: string): boolean => /^\d+$/.test(name)

/** The CPU time of a process and of all its children, those that have ended too. */
const familyMicros = (main: number): number => {
  const { ended, own } = statOf(main)
  let ticks = own + ended
  for (const name of fs.readdirSync("/proc").filter(isProcess)) {
    try {
      const { own, parent } = statOf(name)
      if (parent === main) ticks += own
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * tick
}

/** Starts a server; its memory is what an operator would give it on a machine of a few gigabytes. */
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
      backend === undefined || !fs.existsSync("/proc/self/stat") ? undefined : statOf(backend.pid).parent
    )
  )
  return {
    database: async (name) => {
      await administer((sql) => sql.unsafe(`CREATE DATABASE ${name}`))
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    cpuMicros: () => Promise.resolve(main === undefined ? undefined : familyMicros(main)),
    stop: server.remove
  }
}
