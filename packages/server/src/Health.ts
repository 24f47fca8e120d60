import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Workers } from "@frontdesk/core/worker/Workers"
import * as DatabaseFile from "@frontdesk/storage-sqlite/client/DatabaseFile"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Stopping } from "./GracefulStop.ts"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

/** How long the database may take to answer before `/health` reports it as unavailable. */
const timeout = "2 seconds"

/**
 * Remembers the database file that exists now. The returned function returns whether that file is still in place; for a
 * database that is not a file it always returns true.
 */
const sameFileCheck = (database: DatabaseUrl): (() => boolean) =>
  database._tag === "File" ? DatabaseFile.sameAsNow(database.path) : () => true

/** How long a result is reused, so that many callers of `/health` cost the database no more than one. */
const cacheTime = "1 second"

/**
 * Returns the handler of `GET /health`. It answers 200 while the database answers and accepts writes, and 503 otherwise.
 * It also answers 503 once the process has received the signal to stop, so that a load balancer sends no more requests.
 *
 * `status` in the body is `ok`, `read_only`, `unavailable` or `stopping`. A database is `read_only` if it answers but
 * accepts no writes: a standby, a full disk, or a SQLite file that another process has locked. `workers` has the status
 * of each worker of this process. A worker that restarts does not lead to 503, because requests are still answered.
 *
 * A SQLite database is also `unavailable` after its file was deleted, replaced or emptied, or its `-wal` or `-shm` file
 * deleted or replaced: whatever the server writes from then on would be lost.
 */
export const make = Effect.fnUntraced(function* (database: DatabaseUrl, stopping: Stopping = { hasBegun: false }) {
  const accounts = yield* AccountStore
  const sql = yield* SqlClient
  const { states } = yield* Workers
  const isSameFile = sameFileCheck(database)
  const read = accounts.find(AccountId.make(1))
  const write: Effect.Effect<unknown, SqlError | StorageError> =
    database._tag === "Postgres"
      ? // No account has the id 0, so the statement locks no row. PostgreSQL still refuses it when it accepts no writes.
        sql`SELECT 1 FROM account WHERE id = 0 FOR KEY SHARE`
      : // Writes the value that is there already, because only a commit shows that the disk is full. Frontdesk does not
        // use this value for anything else.
        sql`PRAGMA user_version = 0`

  const succeeds = (statement: Effect.Effect<unknown, SqlError | StorageError>, failed: string) =>
    Effect.matchEffect(statement, {
      onFailure: (error) => Effect.as(Outage.log("Warn", failed, error), false),
      onSuccess: () => Effect.succeed(true)
    }).pipe(
      // Detached, so that `/health` need not wait for a statement that takes too long. Cancelling the statement would wait
      // for an answer of the same database.
      Effect.forkDetach,
      Effect.flatMap((fiber) =>
        Effect.timeoutOrElse(Fiber.join(fiber), { duration: timeout, orElse: () => Effect.succeed(false) })
      )
    )
  const checked = Effect.all(
    [succeeds(read, "The database cannot be reached"), succeeds(write, "The database accepts no writes")],
    { concurrency: "unbounded" }
  ).pipe(
    Effect.map(([reads, writes]) => (reads ? (writes ? "ok" : "read_only") : "unavailable")),
    // A caller that disconnects must not interrupt the check that other callers wait for.
    Effect.uninterruptible
  )
  const cached = yield* Effect.cachedWithTTL(checked, cacheTime)

  const answer = Effect.gen(function* () {
    const status = isSameFile() ? yield* cached : "unavailable"
    const workers = Object.fromEntries(Array.from(yield* states, ([name, { status }]) => [name, status] as const))
    return HttpServerResponse.jsonUnsafe({ status, workers }, { status: status === "ok" ? 200 : 503 })
  })
  const isStopping = Effect.sync(() => HttpServerResponse.jsonUnsafe({ status: "stopping" }, { status: 503 }))
  return Effect.suspend(() => (stopping.hasBegun ? isStopping : answer))
})
