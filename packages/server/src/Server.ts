import { promisify } from "node:util"
import { brotliCompress, constants } from "node:zlib"
import { AgentTools, McpRoute, ProviderAnswers } from "@frontdesk/agent-tools"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as ServerPresence from "@frontdesk/core/operator/ServerPresence"
import { Workers } from "@frontdesk/core/worker/Workers"
import { files as dashboardFiles } from "@frontdesk/dashboard"
import { Callbacks, FrontdeskHttp, type HttpOptions } from "@frontdesk/http"
import * as Untraced from "@frontdesk/http/dashboard/Untraced"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ServeError } from "effect/http/HttpServerError"
import type { Stopping } from "./GracefulStop.ts"
import * as Health from "./Health.ts"
import { currentTurn } from "./EventLoop.ts"
import * as Listener from "./Listener.ts"
import { localUrl } from "./LocalUrl.ts"
import * as DashboardUrl from "./DashboardUrl.ts"
import * as Metrics from "./Metrics.ts"
import type { Settings } from "./settings/Settings.ts"
import { version } from "./Version.ts"

const extraRoutes = Effect.fnUntraced(function* (
  { callProvider, databaseUrl, metrics, publicUrl, workers }: Settings,
  stopping: Stopping
) {
  const routes: Array<HttpOptions.ExtraRoute> = [
    { method: "GET", path: "/health", handler: yield* Health.make(databaseUrl, stopping) }
  ]
  if (metrics) routes.push({ method: "GET", path: "/metrics", handler: yield* Metrics.make })
  // A person who opens the address of the server is led to the dashboard.
  if (workers !== "only")
    routes.push({
      method: "GET",
      path: "/",
      handler: Effect.succeed(HttpServerResponse.redirect(`.${DashboardUrl.mount}/`, { status: 302 }))
    })
  // The simulated provider reports within the process, without callbacks.
  if (workers !== "only" && callProvider._tag !== "Simulated" && publicUrl !== null)
    routes.push(...(yield* Callbacks.routes({ publicUrl: new URL(publicUrl), answer: yield* ProviderAnswers.make })))
  // These routes use the database connections of the workers, so that they answer even when API requests use all others.
  return routes.map((route) => ({ ...route, handler: Effect.provideService(route.handler, CurrentWorkload, "worker") }))
})

/** Returns the routes beside those of the API. */
const routes = Effect.fnUntraced(function* (settings: Settings, stopping: Stopping) {
  const { corsOrigins: allowedOrigins, mcpCallHeader: callHeader, workers } = settings
  return {
    extra: yield* extraRoutes(settings, stopping),
    callerRoutes: workers === "only" ? [] : [yield* McpRoute.route({ version, allowedOrigins, callHeader })]
  }
})

/** Compresses on another thread. A higher quality would take seconds and save only a tenth of the size. */
const brotli = (bytes: Uint8Array): Promise<Uint8Array> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/**
 * Serves requests and runs the workers until it is interrupted. Then it finishes the open requests and the running work.
 *
 * `onListening` runs as soon as the server accepts requests, and receives the URL at which this machine reaches it. The
 * workers start after it. Fails with ServeError when the server cannot listen on its port.
 */
export const serve = Effect.fnUntraced(function* <E, R>(
  settings: Settings,
  onListening: (url: string) => Effect.Effect<void, E, R>
) {
  const stopping: Stopping = { hasBegun: false }
  const handlers = yield* FrontdeskHttp.requestHandlers({
    maxBodySize: settings.maxBodySize,
    maxRequests: settings.maxRequests,
    maxConcurrentRequests: settings.maxConcurrentRequests,
    corsOrigins: settings.corsOrigins,
    trustedProxies: settings.trustedProxies,
    brotli,
    currentTurn,
    ...(settings.workers === "only"
      ? { api: false, docs: false }
      : { dashboard: { mount: DashboardUrl.mount, origin: DashboardUrl.originOf(settings), files: dashboardFiles() } }),
    ...(yield* Effect.provide(routes(settings, stopping), AgentTools.layer))
  })
  const workers = yield* Workers
  const port = yield* Deferred.make<number, ServeError>()

  const requests = Listener.listen(handlers, settings, stopping).pipe(
    Effect.tap((bound) => Deferred.succeed(port, bound)),
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(Untraced.layer)
  )
  const work = Effect.gen(function* () {
    yield* onListening(localUrl(settings.host, yield* Deferred.await(port)))
    return yield* Effect.all([workers.run, ServerPresence.run], { concurrency: "unbounded", discard: true })
  })
  // Concurrently, so that requests and workers each have the whole shutdown timeout to finish.
  return yield* Effect.all([requests, work], { concurrency: "unbounded", discard: true })
})
