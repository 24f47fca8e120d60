import { promisify } from "node:util"
import { brotliCompress, constants } from "node:zlib"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import { Workers } from "@frontdesk/core/worker/Workers"
import { Callbacks, FrontdeskHttp, type HttpOptions } from "@frontdesk/http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import type { Stopping } from "./GracefulStop.ts"
import * as Health from "./Health.ts"
import * as Listener from "./Listener.ts"
import * as Metrics from "./Metrics.ts"
import type { Settings } from "./settings/Settings.ts"

const extraRoutes = Effect.fnUntraced(function* (
  { callProvider, databaseUrl, metrics, publicUrl, workers }: Settings,
  stopping: Stopping
) {
  const routes: Array<HttpOptions.ExtraRoute> = [
    { method: "GET", path: "/health", handler: yield* Health.make(databaseUrl, stopping) }
  ]
  if (metrics) routes.push({ method: "GET", path: "/metrics", handler: yield* Metrics.make })
  // The simulated provider calls nobody back.
  if (workers !== "only" && callProvider._tag !== "Simulated" && publicUrl !== null)
    routes.push(...(yield* Callbacks.routes({ publicUrl: new URL(publicUrl) })))
  // None of these waits behind the requests of the API: it is asked while there are too many of those.
  return routes.map((route) => ({ ...route, handler: Effect.provideService(route.handler, CurrentWorkload, "worker") }))
})

/** Compresses outside of the thread. Higher qualities take seconds for a tenth less. */
const brotli = (bytes: Uint8Array): Promise<Uint8Array> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/**
 * Serves until it is interrupted, and then finishes what it is doing. `onListening` is run once requests are accepted,
 * with an address of this machine at which they are; the workers of the settings start after it.
 */
export const serve = Effect.fnUntraced(function* <E, R>(
  settings: Settings,
  onListening: (url: string) => Effect.Effect<void, E, R>
) {
  const stopping: Stopping = { hasBegun: false }
  const app = yield* FrontdeskHttp.make({
    maxBodySize: settings.maxBodySize,
    maxRequests: settings.maxRequests,
    maxConcurrentRequests: settings.maxConcurrentRequests,
    corsOrigins: settings.corsOrigins,
    brotli,
    ...(settings.workers === "only" && { api: false, docs: false }),
    extra: yield* extraRoutes(settings, stopping)
  })
  const workers = yield* Workers
  const port = yield* Deferred.make<number, ServeError>()

  const requests = Listener.listen(app, settings, stopping).pipe(
    Effect.tap((bound) => Deferred.succeed(port, bound)),
    Effect.andThen(Effect.never),
    Effect.scoped
  )
  const work = Effect.gen(function* () {
    yield* onListening(Listener.localUrl(settings.host, yield* Deferred.await(port)))
    return yield* workers.run
  })
  // Side by side, so that both have the whole time to finish.
  return yield* Effect.all([requests, work], { concurrency: "unbounded", discard: true })
})
