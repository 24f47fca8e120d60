import { Callbacks, FrontdeskHttp, type HttpOptions } from "@frontdesk/http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import * as Address from "./Address.ts"
import * as Health from "./Health.ts"
import * as Listener from "./Listener.ts"
import * as Metrics from "./Metrics.ts"
import type { Settings } from "./settings/Settings.ts"
import * as Workers from "./Workers.ts"

const extraRoutes = Effect.fnUntraced(function* ({ callProvider, databaseUrl, metrics, publicUrl }: Settings) {
  const routes: Array<HttpOptions.ExtraRoute> = [
    { method: "GET", path: "/health", handler: yield* Health.make(databaseUrl) }
  ]
  if (metrics) routes.push({ method: "GET", path: "/metrics", handler: yield* Metrics.make })
  // The simulated provider calls nobody back.
  if (callProvider._tag !== "Simulated" && publicUrl !== null)
    routes.push(...(yield* Callbacks.routes({ publicUrl: new URL(publicUrl) })))
  return routes
})

/**
 * Serves until it is interrupted, and then finishes what it is doing. `onListening` is run once requests are accepted,
 * with an address of this machine at which they are; the workers start after it.
 */
export const serve = Effect.fnUntraced(function* <E, R>(
  settings: Settings,
  onListening: (url: string) => Effect.Effect<void, E, R>
) {
  const app = yield* FrontdeskHttp.make({
    maxBodySize: settings.maxBodySize,
    corsOrigins: settings.corsOrigins,
    extra: yield* extraRoutes(settings)
  })
  const port = yield* Deferred.make<number, ServeError>()

  const requests = Listener.listen(app, settings).pipe(
    Effect.tap((bound) => Deferred.succeed(port, bound)),
    Effect.andThen(Effect.never),
    Effect.scoped
  )
  const work = Effect.gen(function* () {
    yield* onListening(Address.local(settings.host, yield* Deferred.await(port)))
    return yield* Workers.run
  })
  // Side by side, so that both have the whole time to finish.
  return yield* Effect.all([requests, work], { concurrency: "unbounded", discard: true })
})
