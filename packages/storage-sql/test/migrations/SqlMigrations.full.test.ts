import { describe, expect, it } from "@effect/vitest"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"

describe.each(emptyDatabases)("migrations, in %s", (_, emptyDatabase) => {
  it.live("migrations change nothing when they run a second time", () =>
    Effect.gen(function* () {
      const { client } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        expect((yield* SqlMigrations.migrate)[0]).toEqual([1, "initial"])
        const before = yield* schema
        expect(yield* SqlMigrations.migrate).toEqual([])
        expect(yield* schema).toEqual(before)
      }).pipe(Effect.provide(client))
    })
  )

  it.live("one of several clients that start at once creates the tables", () =>
    Effect.gen(function* () {
      const { client } = yield* emptyDatabase
      const runs = yield* Effect.forEach(
        Array.from({ length: 4 }),
        // Fresh, because a shared layer would be a single client.
        () => Effect.provide(SqlMigrations.migrate, Layer.fresh(client)),
        { concurrency: "unbounded" }
      )
      expect(runs.map(([first]) => first).filter((first) => first !== undefined)).toEqual([[1, "initial"]])
    })
  )
})

const schema = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY oid`,
    orElse: () => sql`SELECT * FROM sqlite_schema`
  })
)
