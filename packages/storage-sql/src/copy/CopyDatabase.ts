import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"
import * as SqlMigrations from "../SqlMigrations.ts"
import * as Catalog from "./Catalog.ts"
import { quoted, type Table } from "./CopyDialect.ts"
import { type CopyFailed, CopyRefused } from "./CopyError.ts"
import type { Side } from "./CopySide.ts"

const Place = Schema.Struct({ place: Schema.NullOr(Schema.String) })

const Installation = Schema.Struct({ id: Schema.String, copied: Schema.NullOr(Schema.String) })

const Count = Schema.Struct({ count: Schema.FiniteFromString })

const Found = Schema.Struct({})

/** The one row of a statement that always has one. */
export const one = <A>(side: Side, row: Schema.ConstraintDecoder<A>, text: string): Effect.Effect<A, CopyFailed> =>
  Effect.flatMap(side.all(row, text), ([found]) =>
    found === undefined
      ? Effect.fail(side.failed(new Error("A statement that always has a row had none")))
      : Effect.succeed(found)
  )

/** Where a database is, as no other is; null when only its own client can open it. */
export const place = (side: Side): Effect.Effect<string | null, CopyFailed> =>
  Effect.map(one(side, Place, side.dialect.place), ({ place }) => place)

/** The installation of a database: its name, and for a copy the checksum of what was copied. */
export const installation = (side: Side): Effect.Effect<typeof Installation.Type, CopyFailed> =>
  one(side, Installation, "SELECT id, copied FROM installation")

/** Says of a database what it is a copy of. */
export const markCopied = (
  side: Side,
  { copied, id }: { readonly id: string; readonly copied: string }
): Effect.Effect<void, CopyFailed> =>
  side.run(Dialect.of(side.client).text("UPDATE installation SET id = ?1, copied = ?2"), [id, copied])

/** How many rows a table has. */
export const count = (side: Side, { name }: Table): Effect.Effect<number, CopyFailed> =>
  Effect.map(one(side, Count, `SELECT CAST(count(*) AS text) AS count FROM ${quoted(name)}`), ({ count }) => count)

/** Whether no table has a row. */
export const isEmpty = Effect.fnUntraced(function* (
  side: Side,
  tables: ReadonlyArray<Table>
): Effect.fn.Return<boolean, CopyFailed> {
  for (const { name } of tables) {
    const found = yield* side.all(Found, `SELECT 1 AS found FROM ${quoted(name)} LIMIT 1`)
    if (found.length > 0) return false
  }
  return true
})

const isCurrent = (side: Side): Effect.Effect<boolean, CopyFailed> =>
  SqlMigrations.isCurrent.pipe(Effect.provideService(SqlClient, side.client), Effect.mapError(side.failed))

/** Refuses a source whose tables are not those of this version. */
export const checkSource = Effect.fnUntraced(function* (side: Side): Effect.fn.Return<void, CopyFailed | CopyRefused> {
  if (!(yield* isCurrent(side))) return yield* new CopyRefused({ reason: "source_schema" })
})

/** Makes the tables of a target that has none, and refuses one with those of another version. */
export const prepareTarget = Effect.fnUntraced(function* (
  side: Side
): Effect.fn.Return<void, CopyFailed | CopyRefused> {
  if (yield* isCurrent(side)) return
  const catalog = yield* Catalog.read(side)
  if (catalog.has(SqlMigrations.table)) return yield* new CopyRefused({ reason: "target_schema" })
  yield* SqlMigrations.migrate.pipe(
    Effect.provideService(SqlClient, side.client),
    Effect.mapError(({ cause }) => side.failed(cause))
  )
})
