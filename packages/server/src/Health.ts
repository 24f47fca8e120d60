import { statSync } from "node:fs"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

/** How long the database may take before it counts as out of reach. */
const patience = "2 seconds"

/** What tells a file from another one that has taken its name. */
const identity = (database: DatabaseUrl): string => {
  if (database._tag !== "File") return ""
  const stats = statSync(database.path, { throwIfNoEntry: false })
  return stats === undefined ? "gone" : `${stats.dev}:${stats.ino}`
}

/**
 * `GET /health`: 200 while the database answers and takes writes, else 503: a standby, for one, takes none.
 *
 * A file that was deleted or replaced under the server counts as out of reach: what is written now would be lost.
 */
export const make = Effect.fnUntraced(function* (database: DatabaseUrl) {
  const accounts = yield* AccountStore
  const sql = yield* SqlClient
  const opened = identity(database)
  const question: Effect.Effect<unknown, SqlError | StorageError> =
    database._tag === "Postgres"
      ? // Locks nothing, and is refused by a server that takes no writes.
        sql`SELECT 1 FROM account WHERE id = 0 FOR KEY SHARE`
      : accounts.find(AccountId.make(1))
  const answers = Effect.matchEffect(question, {
    onFailure: (error) => Effect.as(Outage.log("Warn", "The database cannot be reached", error), false),
    onSuccess: () => Effect.succeed(true)
  })
  // Left behind when it takes too long: even to call it off would have to be answered.
  const isReachable = Effect.flatMap(Effect.forkDetach(answers), (fiber) =>
    Effect.timeoutOrElse(Fiber.join(fiber), { duration: patience, orElse: () => Effect.succeed(false) })
  )
  return Effect.map(isReachable, (reachable) =>
    reachable && identity(database) === opened
      ? HttpServerResponse.jsonUnsafe({ status: "ok" })
      : HttpServerResponse.jsonUnsafe({ status: "unavailable" }, { status: 503 })
  )
})
