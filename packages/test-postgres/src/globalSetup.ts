import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import process from "node:process"
import type { TestProject } from "vitest/node"
import * as PostgresServer from "./PostgresServer.ts"

let server: PostgresServer.PostgresServer | undefined

const given = process.env["FRONTDESK_TEST_POSTGRES_URL"] ?? ""

const lentDatabases = `lent_${randomUUID().slice(0, 8)}`

/**
 * Starts the server that all tests share, unless `FRONTDESK_TEST_POSTGRES_URL` names one. Its user must be allowed to
 * create databases.
 */
export const setup = async ({ provide }: TestProject): Promise<void> => {
  // Autovacuum may take the statistics of a table that a test has just emptied. The next test that borrows the database
  // would fill it with thousands of rows while PostgreSQL plans for none.
  if (given === "") server = await PostgresServer.make({ settings: { autovacuum: "off" } })
  provide("postgresUrl", server?.url ?? given)
  provide("lentDatabases", lentDatabases)
}

const dropLent = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const rows = yield* sql<{ name: string }>`SELECT datname AS name FROM pg_database
    WHERE starts_with(datname, ${lentDatabases})`
  for (const { name } of rows) yield* sql`DROP DATABASE ${sql(name)} WITH (FORCE)`
}).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(given), maxConnections: 1 })))

/** Stops the server that was started, or drops the lent databases on the server that was named. */
export const teardown = async (): Promise<void> => {
  await (server === undefined ? Effect.runPromise(dropLent) : server.remove())
}
