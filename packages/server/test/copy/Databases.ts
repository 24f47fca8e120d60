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

/** Creates a database without tables, which is removed with the scope. */
export const make = (dialect: "SQLite" | "PostgreSQL") =>
  dialect === "SQLite"
    ? Effect.sync((): DatabaseUrl => ({ _tag: "File", path: join(temporaryFolder(), "frontdesk.db") }))
    : Effect.map(TestDatabase.make, (url): DatabaseUrl => ({ _tag: "Postgres", url: Redacted.make(url) }))

/**
 * Duplicates a database with the means of PostgreSQL or as a file, and removes the duplicate with the scope. No client may be
 * connected to the original.
 */
export const duplicateOf = (url: DatabaseUrl) => {
  if (url._tag === "Postgres") {
    const name = new URL(Redacted.value(url.url)).pathname.slice(1)
    const duplicate = TestDatabase.on(inject("postgresUrl"), `TEMPLATE ${name}`)
    return Effect.map(duplicate, (href): DatabaseUrl => ({ _tag: "Postgres", url: Redacted.make(href) }))
  }
  return Effect.sync((): DatabaseUrl => {
    const path = join(temporaryFolder(), "frontdesk.db")
    if (url._tag === "File") copyFileSync(url.path, path)
    return { _tag: "File", path }
  })
}

/** Provides every store on a database, and its client. It creates the tables if there are none. */
export const stores = (url: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient> =>
  Layer.orDie(
    url._tag === "Postgres"
      ? PostgresStorage.layer({ url: url.url })
      : SqliteStorage.layer({ filename: url._tag === "File" ? url.path : ":memory:" })
  )

/** Opens a client of a database, which closes with the scope. */
export const client = (url: DatabaseUrl) =>
  Effect.flatMap(Layer.build(Layer.orDie(Storage.layerClient(url))), (services) => Effect.provide(SqlClient, services))

/** Opens a read-only client of a database, as `frontdesk copy` opens its source. */
export const reader = (url: DatabaseUrl) =>
  Effect.flatMap(Layer.build(Layer.orDie(Storage.layerReader(url))), (services) => Effect.provide(SqlClient, services))
