import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import { initial } from "./migrations/Initial.ts"
import { failed } from "./storage/Failure.ts"

const operation = "SqlMigrations.migrate"

/**
 * Brings the tables of a database to what this version needs, in one transaction. Answers what was done; nothing when
 * there was nothing to do.
 *
 * Several processes may call it at once: one does the work, and the others wait for it.
 */
export const migrate: Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  StorageError,
  SqlClient
> = Migrator.make({})({
  loader: Migrator.fromRecord({ "0001_initial": initial }),
  table: "frontdesk_migration"
}).pipe(
  Effect.catchTags({
    SqlError: (error) => Effect.fail(failed(operation)(error)),
    MigrationError: (cause) => Effect.fail(new StorageError({ reason: "unknown", operation, cause }))
  }),
  Effect.withSpan(operation)
)

/** Runs `migrate` when the layer is built. */
export const layer: Layer.Layer<never, StorageError, SqlClient> = Layer.effectDiscard(migrate)
