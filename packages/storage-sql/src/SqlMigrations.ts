import type { Cell } from "@frontdesk/core/access/Cell"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as InstallationCell from "./migrations/InstallationCell.ts"
import { migrations } from "./migrations/Migrations.ts"
import * as MigrationRunner from "./migrations/MigrationRunner.ts"

/** The table that lists the migrations that were applied. */
export const table = MigrationRunner.table

/**
 * Applies the migrations of this version that a database lacks. Returns the applied migrations. SQLite applies them in one
 * transaction, and so does a new PostgreSQL database. One with tables applies each in a transaction of its own (D-PG-8).
 * Returns an empty list when the database is current or was migrated by a newer version.
 *
 * Several processes may call it at once: one applies the migrations, and the others wait for it. Servers may use the
 * tables meanwhile. In PostgreSQL `migrate` waits at most two seconds for a table that a server has locked. Then it
 * rolls back, so that the servers can continue, and tries again after a second (D-PG-8).
 */
export const migrate: Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  StorageError,
  SqlClient
> = MigrationRunner.run(migrations)

/** The name of the newest migration of this version. */
export const newest: string = Object.keys(migrations).at(-1) ?? ""

/** Returns whether the database has every migration of this version. It only reads, so a read-only client suffices. */
export const isCurrent: Effect.Effect<boolean, SqlError, SqlClient> = MigrationRunner.areApplied(migrations).pipe(
  Tracing.span("SqlMigrations.isCurrent")
)

/**
 * Makes a new installation the given cell, so that its ids and API keys are those of no other cell (D-STO-14). It does
 * nothing if the installation is that cell already. Fails if it is another one and has data, and for SQLite, which is
 * always cell 0.
 */
export const claimCell = (cell: Cell): Effect.Effect<void, StorageError, SqlClient> =>
  InstallationCell.claim(cell).pipe(MigrationRunner.failing("SqlMigrations.claimCell"))

/** Runs {@link migrate} when the layer is built. */
export const layer: Layer.Layer<never, StorageError, SqlClient> = Layer.effectDiscard(migrate)
