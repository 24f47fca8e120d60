import * as path from "node:path"
import { Client } from "pg"
import * as PostgresServer from "./postgres/Server.ts"
import type * as Rounds from "./Rounds.ts"

/** A kind of database on which a suite measures. */
export interface Place {
  readonly name: string
  /** Creates an empty database and returns its URL. */
  readonly database: (name: string) => Promise<string>
  /** Updates the statistics that the database chooses its indexes by, as a database in use does by itself. */
  readonly analyze: (databaseUrl: string) => Promise<void>
  /** The clocks of the processes of the database. */
  readonly others: Readonly<Record<string, Rounds.CpuClock>>
  readonly stop: () => Promise<void>
}

/** Opens each kind of database. SQLite has its files in the given folder. */
export const places: { readonly [D in "sqlite" | "postgres"]: (folder: string) => Promise<Place> } = {
  sqlite: (folder) =>
    Promise.resolve({
      name: "SQLite",
      database: (name) => Promise.resolve(`sqlite:${path.join(folder, `${name}.db`)}`),
      analyze: () => Promise.resolve(),
      others: {},
      stop: () => Promise.resolve()
    }),
  postgres: async () => {
    const server = await PostgresServer.start()
    return {
      name: "PostgreSQL",
      database: server.database,
      analyze: async (databaseUrl) => {
        const client = new Client({ connectionString: databaseUrl })
        await client.connect()
        await client.query("VACUUM ANALYZE")
        await client.end()
      },
      others: { database: server.cpuMicros },
      stop: server.stop
    }
  }
}
