import { Cell } from "@frontdesk/core/access/Cell"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import { alignIds } from "../migrations/InstallationCell.ts"
import * as SqlMigrations from "../SqlMigrations.ts"
import * as Catalog from "./Catalog.ts"
import type { CopyClient } from "./CopyClient.ts"
import { type CopyFailed, CopyRefused } from "./CopyError.ts"
import { quoted, type Table } from "./CopyTable.ts"

const Place = Schema.Struct({ place: Schema.NullOr(Schema.String) })

const Installation = Schema.Struct({
  id: Schema.String,
  cell: Schema.FiniteFromString.pipe(Schema.decodeTo(Cell)),
  copied: Schema.NullOr(Schema.String)
})

const Count = Schema.Struct({ count: Schema.FiniteFromString })

const Found = Schema.Struct({})

/** Returns the first row of a statement that always returns one. Fails when there is none. */
export const one = <A>(
  client: CopyClient,
  row: Schema.ConstraintDecoder<A>,
  text: string
): Effect.Effect<A, CopyFailed> =>
  Effect.flatMap(client.all(row, text), ([found]) =>
    found === undefined
      ? Effect.fail(client.failed(new Error("A statement that always returns a row returned none")))
      : Effect.succeed(found)
  )

/** Returns a text that no other database has, or null when only the client itself can open the database. */
export const place = (client: CopyClient): Effect.Effect<string | null, CopyFailed> =>
  Effect.map(one(client, Place, client.dialect.place), ({ place }) => place)

/** Returns the id and the cell of the installation in a database, and for a copy the checksum of what was copied. */
export const installation = (client: CopyClient): Effect.Effect<typeof Installation.Type, CopyFailed> =>
  one(client, Installation, "SELECT id, CAST(cell AS text) AS cell, copied FROM installation")

/** Makes a database the cell of the installation that is copied to it. In PostgreSQL its tables then generate ids of that cell. */
export const becomeCell = (client: CopyClient, cell: Cell): Effect.Effect<void, CopyFailed> =>
  Effect.andThen(
    client.run(ClientDialect.of(client.sql).text("UPDATE installation SET cell = ?1"), [cell]),
    alignIds.pipe(Effect.provideService(SqlClient, client.sql), Effect.mapError(client.failed))
  )

/** Stores in a database of which installation it is a copy, with the checksum of what was copied. */
export const markCopied = (
  client: CopyClient,
  { copied, id }: { readonly id: string; readonly copied: string }
): Effect.Effect<void, CopyFailed> =>
  client.run(ClientDialect.of(client.sql).text("UPDATE installation SET id = ?1, copied = ?2"), [id, copied])

/** Returns the number of rows of a table. */
export const count = (client: CopyClient, { name }: Table): Effect.Effect<number, CopyFailed> =>
  Effect.map(one(client, Count, `SELECT CAST(count(*) AS text) AS count FROM ${quoted(name)}`), ({ count }) => count)

/** Returns whether all of the tables are empty. */
export const isEmpty = Effect.fnUntraced(function* (
  client: CopyClient,
  tables: ReadonlyArray<Table>
): Effect.fn.Return<boolean, CopyFailed> {
  for (const { name } of tables) {
    const found = yield* client.all(Found, `SELECT 1 AS found FROM ${quoted(name)} LIMIT 1`)
    if (found.length > 0) return false
  }
  return true
})

const isCurrent = (client: CopyClient): Effect.Effect<boolean, CopyFailed> =>
  SqlMigrations.isCurrent.pipe(Effect.provideService(SqlClient, client.sql), Effect.mapError(client.failed))

/** Fails for a source that is not at the schema of this version. */
export const checkSource = Effect.fnUntraced(function* (
  client: CopyClient
): Effect.fn.Return<void, CopyFailed | CopyRefused> {
  if (!(yield* isCurrent(client))) return yield* new CopyRefused({ reason: "source_schema" })
})

/** Creates the tables of a target that has none. Fails for a target with the schema of another version. */
export const prepareTarget = Effect.fnUntraced(function* (
  client: CopyClient
): Effect.fn.Return<void, CopyFailed | CopyRefused> {
  if (yield* isCurrent(client)) return
  const catalog = yield* Catalog.read(client)
  if (catalog.has(SqlMigrations.table)) return yield* new CopyRefused({ reason: "target_schema" })
  yield* SqlMigrations.migrate.pipe(
    Effect.provideService(SqlClient, client.sql),
    Effect.mapError(({ cause }) => client.failed(cause))
  )
})
