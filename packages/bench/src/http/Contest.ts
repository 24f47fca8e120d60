import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as path from "node:path"
import { Client } from "pg"
import * as PostgresServer from "../postgres/Server.ts"
import type { CpuClock } from "../Rounds.ts"
import type { Party } from "./Agreement.ts"
import * as Child from "./Child.ts"
import * as Fixture from "./Fixture.ts"

/** Servers that answer the same requests, each on its own copy of one database. The first one is the baseline. */
export interface Contest {
  readonly database: string
  readonly fixture: Fixture.Fixture
  readonly servers: ReadonlyArray<Child.Server & Party>
  /** The clocks of the processes of the database. */
  readonly others: Readonly<Record<string, CpuClock>>
  readonly stop: () => Promise<void>
}

/** Opens a contest on an empty folder, with this number of calendar events. */
export type Open = (folder: string, events: number) => Promise<Contest>

const frontdesk = { name: "Frontdesk", module: "./frontdesk.ts" }

const onSqlite = [
  { name: "Fastify, by hand", module: "../baseline/fastify.ts" },
  frontdesk,
  {
    ...frontdesk,
    name: "Frontdesk, schema JIT",
    execArgv: ["--import", "effect/schema/SchemaJITCompiler/enable"]
  }
]

const onPostgres = [{ name: "Fastify, by hand", module: "../baseline/fastifyPostgres.ts" }, frontdesk]

const stopAll = async (servers: ReadonlyArray<Child.Server>): Promise<void> => {
  await Promise.all(servers.map((server) => server.stop()))
}

/** Returns the statement that reads the last row of a table. The names come from this program. */
const lastRowText = (table: string, column: string): string => `SELECT * FROM ${table} ORDER BY ${column} DESC LIMIT 1`

/** Opens a contest on SQLite files. */
export const sqlite: Open = async (folder, events) => {
  const original = path.join(folder, "fixture.db")
  const fixture = await Fixture.make(`sqlite:${original}`, events)
  const servers = await Promise.all(
    onSqlite.map(async (contestant, index) => {
      const filename = path.join(folder, `${index}.db`)
      fs.copyFileSync(original, filename)
      const lastRow: Party["lastRow"] = (table, column) => {
        const database = new DatabaseSync(filename, { readOnly: true })
        try {
          return Promise.resolve(database.prepare(lastRowText(table, column)).get())
        } finally {
          database.close()
        }
      }
      return { ...(await Child.startServer({ ...contestant, databaseUrl: `sqlite:${filename}` })), lastRow }
    })
  )
  return { database: "SQLite", fixture, servers, others: {}, stop: () => stopAll(servers) }
}

/** Opens a contest on a PostgreSQL server, which it starts. */
export const postgres: Open = async (_folder, events) => {
  const server = await PostgresServer.start()
  try {
    const fixture = await Fixture.make(await server.database("fixture"), events)
    const servers: Array<Child.Server & Party> = []
    for (const [index, contestant] of onPostgres.entries()) {
      const databaseUrl = await server.copy(`contestant_${index}`, "fixture")
      const lastRow: Party["lastRow"] = async (table, column) => {
        const client = new Client({ connectionString: databaseUrl })
        await client.connect()
        try {
          return (await client.query<object>(lastRowText(table, column))).rows[0]
        } finally {
          await client.end()
        }
      }
      servers.push({ ...(await Child.startServer({ ...contestant, databaseUrl })), lastRow })
    }
    return {
      database: "PostgreSQL",
      fixture,
      servers,
      others: { database: server.cpuMicros },
      stop: async () => {
        await stopAll(servers)
        await server.stop()
      }
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}
