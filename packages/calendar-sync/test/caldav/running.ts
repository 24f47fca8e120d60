import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A running server with its calendar, until the scope is closed. */
export const running = (kind: CaldavServer.Kind): Effect.Effect<CaldavServer.CaldavServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => CaldavServer.open(kind)),
    (server) => Effect.promise(() => server[Symbol.asyncDispose]())
  )
