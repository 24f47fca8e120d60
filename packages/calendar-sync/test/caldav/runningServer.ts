import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Starts a CalDAV server with one calendar. It stops when the scope ends. */
export const runningServer = (kind: CaldavServer.Kind): Effect.Effect<CaldavServer.CaldavServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => CaldavServer.open(kind)),
    (server) => Effect.promise(() => server[Symbol.asyncDispose]())
  )
