import { FrontdeskHttp } from "@frontdesk/http"
import * as Effect from "effect/Effect"
import * as Assembly from "frontdesk/Assembly"
import { currentTurn } from "frontdesk/EventLoop"
import * as Listener from "frontdesk/Listener"
import * as Observability from "frontdesk/Observability"
import * as Settings from "frontdesk/settings/Settings"
import * as Control from "./Control.ts"

/** The reference server with its default settings and without workers, which would deliver webhooks meanwhile. */
const program = Effect.gen(function* () {
  const settings = yield* Settings.load({
    "database-url": Control.databaseUrl,
    port: "0",
    // A limit that is counted and reported like any other, but never reached.
    "rate-limit": "999999999/60s"
  })
  const serve = Effect.gen(function* () {
    const handlers = yield* FrontdeskHttp.requestHandlers({
      maxBodySize: settings.maxBodySize,
      corsOrigins: settings.corsOrigins,
      currentTurn
    })
    Control.listening(yield* Listener.listen(handlers, settings))
    return yield* Effect.never
  })
  return yield* serve.pipe(Effect.provide([Assembly.layer(settings), Observability.layer(settings)]))
})

await Effect.runPromise(Effect.scoped(program))
