import * as Effect from "effect/Effect"
import * as Assembly from "frontdesk/Assembly"
import * as Observability from "frontdesk/Observability"
import * as Server from "frontdesk/Server"
import * as Settings from "frontdesk/settings/Settings"
import * as Control from "../http/Control.ts"

/** The reference server with its workers. Only its rate limit is so high that it is never reached. */
const program = Effect.gen(function* () {
  const settings = yield* Settings.load({
    "database-url": Control.databaseUrl,
    port: "0",
    "rate-limit": "999999999/60s",
    "webhook-allow-insecure": "true",
    // A simulated call that has begun lasts longer than the suite.
    "simulated-call-pace": "0.01"
  })
  const announce = (url: string) => Effect.sync(() => Control.listening(Number(new URL(url).port)))
  return yield* Server.serve(settings, announce).pipe(
    Effect.provide([Assembly.layer(settings), Observability.layer(settings)])
  )
})

await Effect.runPromise(program)
