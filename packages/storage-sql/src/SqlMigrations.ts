import type { Cell } from "@frontdesk/core/access/Cell"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import {
  callRetention,
  eventInvitation,
  externalCalendarsStatus,
  idempotencyExecuted,
  reminderStart
} from "./migrations/ColumnsAndIndexes.ts"
import { callReservations } from "./migrations/CallReservations.ts"
import { doNotCall } from "./migrations/DoNotCall.ts"
import * as InstallationCell from "./migrations/InstallationCell.ts"
import { initial } from "./migrations/Initial.ts"
import { deliveryIndexes, listIndexes } from "./migrations/ListIndexes.ts"
import * as MigrationRunner from "./migrations/MigrationRunner.ts"
import { namedLocks } from "./migrations/NamedLocks.ts"
import { rateLimitLeases } from "./migrations/RateLimitLeases.ts"
import { rowCountParts } from "./migrations/RowCountParts.ts"
import { readyDeliveries } from "./migrations/ReadyDeliveries.ts"
import { searchForm } from "./migrations/SearchForm.ts"
import { snapshots } from "./migrations/Snapshots.ts"

/** The table that lists the migrations that were applied. */
export const table = MigrationRunner.table

const migrations: MigrationRunner.Migrations = {
  "0001_initial": initial,
  "0003_snapshots": snapshots,
  "0004_do_not_call": doNotCall,
  "0005_search_form": searchForm,
  "0006_idempotency_executed": idempotencyExecuted,
  "0007_call_reservations": callReservations,
  "0008_reminder_start": reminderStart,
  "0009_external_calendars_status": externalCalendarsStatus,
  "0012_call_retention": callRetention,
  "0013_event_invitation": eventInvitation,
  "0014_list_indexes": listIndexes,
  "0015_rate_limit_leases": rateLimitLeases,
  "0016_row_count_parts": rowCountParts,
  "0017_ready_deliveries": readyDeliveries,
  "0018_installation_cell": InstallationCell.installationCell,
  "0019_named_locks": namedLocks,
  "0020_delivery_indexes": deliveryIndexes
}

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
