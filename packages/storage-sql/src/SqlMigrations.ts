import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
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
import { initial } from "./migrations/Initial.ts"
import * as MigrationRunner from "./migrations/MigrationRunner.ts"
import { searchForm } from "./migrations/SearchForm.ts"
import { snapshots } from "./migrations/Snapshots.ts"

/** The table that says which migrations were applied. */
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
  "0013_event_invitation": eventInvitation
}

/**
 * Brings the tables of a database to what this version needs, in one transaction. Answers what was done; nothing when
 * there was nothing to do, also when a newer version has done more.
 *
 * Several processes may call it at once: one does the work, and the others wait for it. Servers may use the tables
 * meanwhile: with PostgreSQL it waits for those who do for two seconds at most, then lets them go on and tries again.
 */
export const migrate: Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  StorageError,
  SqlClient
> = MigrationRunner.run(migrations)

/**
 * Whether the tables of a database are what this version needs. Only reads, so its client may be one that only reads.
 */
export const isCurrent: Effect.Effect<boolean, SqlError, SqlClient> = Effect.withSpan(
  MigrationRunner.areApplied(migrations),
  "SqlMigrations.isCurrent"
)

/** Runs `migrate` when the layer is built. */
export const layer: Layer.Layer<never, StorageError, SqlClient> = Layer.effectDiscard(migrate)
