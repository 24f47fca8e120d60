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

/** How long the database may take before it counts as out of reach. */
const patience = "2 seconds"

/** Returns a function that tells whether the files of a database are still those of now; always true for what is no file. */
const filesOf = (database: DatabaseUrl): (() => boolean) =>
  database._tag === "File" ? DatabaseFile.sameAsNow(database.path) : () => true

/** How long an answer of the database counts, so that many who ask cost it no more than one. */
const validity = "1 second"

/**
 * `GET /health`: 200 while the database answers and takes writes, else 503. 503 from the moment the process is told to
 * stop, so that a load balancer sends no more.
 *
 * The body says which: `read_only` where it answers and takes no writes, as a standby, with a full disk, or while another
 * process keeps the write lock; `unavailable` where it does not answer. It names each worker of this process with its
 * status; a worker that is being restarted does not make it 503, because requests are still answered.
 *
 * A file that was deleted, replaced or emptied under the server, or whose `-wal` or `-shm` was, counts as out of reach:
 * what is written now would be lost.
 */
export const make = Effect.fnUntraced(function* (database: DatabaseUrl, stopping: Stopping = { hasBegun: false }) {
  const accounts = yield* AccountStore
  const sql = yield* SqlClient
  const { states } = yield* Workers
  const isSameFile = filesOf(database)
  const read = accounts.find(AccountId.make(1))
  const write: Effect.Effect<unknown, SqlError | StorageError> =
    database._tag === "Postgres"
      ? // Locks nothing, and is refused by a server that takes no writes.
        sql`SELECT 1 FROM account WHERE id = 0 FOR KEY SHARE`
      : // Written although it is the same, because a full disk shows at a commit alone. Nothing else uses it.
        sql`PRAGMA user_version = 0`

  const succeeds = (question: Effect.Effect<unknown, SqlError | StorageError>, failed: string) =>
    Effect.matchEffect(question, {
      onFailure: (error) => Effect.as(Outage.log("Warn", failed, error), false),
      onSuccess: () => Effect.succeed(true)
    }).pipe(
      // Left behind when it takes too long: even to call it off would have to be answered.
      Effect.forkDetach,
      Effect.flatMap((fiber) =>
        Effect.timeoutOrElse(Fiber.join(fiber), { duration: patience, orElse: () => Effect.succeed(false) })
      )
    )
  const look = Effect.all(
    [succeeds(read, "The database cannot be reached"), succeeds(write, "The database takes no writes")],
    { concurrency: "unbounded" }
  ).pipe(
    Effect.map(([reads, writes]) => (reads ? (writes ? "ok" : "read_only") : "unavailable")),
    // A caller that hangs up must not end the look that others wait for.
    Effect.uninterruptible
  )
  const looked = yield* Effect.cachedWithTTL(look, validity)

  const answer = Effect.gen(function* () {
    const status = isSameFile() ? yield* looked : "unavailable"
    const workers = Object.fromEntries(Array.from(yield* states, ([name, { status }]) => [name, status] as const))
    return HttpServerResponse.jsonUnsafe({ status, workers }, { status: status === "ok" ? 200 : 503 })
  })
  const stops = Effect.sync(() => HttpServerResponse.jsonUnsafe({ status: "stopping" }, { status: 503 }))
  return Effect.suspend(() => (stopping.hasBegun ? stops : answer))
})
