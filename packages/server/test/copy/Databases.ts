import { PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import * as Storage from "frontdesk/Storage"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import { temporaryFolder } from "../support/temporaryFolder.ts"

/** A new database without tables, gone with the test. */
export const make = (dialect: "SQLite" | "PostgreSQL") =>
  dialect === "SQLite"
    ? Effect.sync((): DatabaseUrl => ({ _tag: "File", path: join(temporaryFolder(), "frontdesk.db") }))
    : Effect.map(TestDatabase.make, (url): DatabaseUrl => ({ _tag: "Postgres", url: Redacted.make(url) }))

/** A new database with all that another one has, gone with the test. Nothing may be connected to the other one. */
export const copyOf = (url: DatabaseUrl) => {
  if (url._tag === "Postgres") {
    const name = new URL(Redacted.value(url.url)).pathname.slice(1)
    const copied = TestDatabase.on(inject("postgresUrl"), `TEMPLATE ${name}`)
    return Effect.map(copied, (copy): DatabaseUrl => ({ _tag: "Postgres", url: Redacted.make(copy) }))
  }
  return Effect.sync((): DatabaseUrl => {
    const path = join(temporaryFolder(), "frontdesk.db")
    if (url._tag === "File") copyFileSync(url.path, path)
    return { _tag: "File", path }
  })
}

/** Every store on a database, and its client. */
export const stores = (url: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient> =>
  Layer.orDie(
    url._tag === "Postgres"
      ? PostgresStorage.layer({ url: url.url })
      : SqliteStorage.layer({ filename: url._tag === "File" ? url.path : ":memory:" })
  )

/** The client of a database, for the scope. */
export const client = (url: DatabaseUrl) =>
  Effect.flatMap(Layer.build(Layer.orDie(Storage.layerClient(url))), (services) => Effect.provide(SqlClient, services))

/** The same, as the command opens what it copies. */
export const reader = (url: DatabaseUrl) =>
  Effect.flatMap(Layer.build(Layer.orDie(Storage.layerReader(url))), (services) => Effect.provide(SqlClient, services))
