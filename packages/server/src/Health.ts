import { statSync } from "node:fs"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
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
 * `GET /health`: 200 while the database answers, else 503.
 *
 * A file that was deleted or replaced under the server counts as out of reach: what is written now would be lost.
 */
export const make = Effect.fnUntraced(function* (database: DatabaseUrl) {
  const accounts = yield* AccountStore
  const opened = identity(database)
  const answers = accounts.find(AccountId.make(1)).pipe(
    Effect.as(true),
    Effect.catch((error) => Effect.as(Outage.log("Warn", "The database cannot be reached", error), false))
  )
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
