import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type { FrontdeskHttp } from "@frontdesk/http"
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import type * as Scope from "effect/Scope"
import * as GracefulStop from "./GracefulStop.ts"
import * as OpenRequests from "./OpenRequests.ts"
import * as ParserErrors from "./ParserErrors.ts"
import * as RequestListener from "./RequestListener.ts"
import type { Settings } from "./settings/Settings.ts"
import * as UnreadResponses from "./UnreadResponses.ts"

/**
 * Timeouts for the arrival of the headers and of the whole request, and the interval at which Node checks them, in
 * milliseconds.
 */
const timeouts = { headersTimeout: 30_000, requestTimeout: 120_000, connectionsCheckingInterval: 5_000 }

/**
 * Listens on the host and port of the settings and answers requests until the scope closes. Returns the port.
 *
 * When the scope closes, the server answers the requests that were sent before, and closes every connection. This takes at
 * most `shutdownDelay` and `shutdownTimeout` together. Fails with ServeError when it cannot listen on the port.
 */
export const listen = Tracing.operation("Listener.listen")(function* (
  handlers: FrontdeskHttp.RequestHandlers,
  { host, port, ...times }: Pick<Settings, "host" | "port" | "shutdownDelay" | "shutdownTimeout">,
  stopping: GracefulStop.Stopping = { hasBegun: false }
): Effect.fn.Return<number, ServeError, Crypto | Scope.Scope> {
  // Frontdesk has no protocol to upgrade to. If Node upgraded a connection, it would read no further request from it.
  const server = createServer({ ...timeouts, requireHostHeader: false, shouldUpgradeCallback: () => false })
  const exchanges = OpenRequests.watch(server)
  UnreadResponses.limit(server, exchanges)
  const drain = yield* GracefulStop.make(server, exchanges, stopping)
  const { answer } = yield* ParserErrors.handle(server, exchanges)
  yield* NodeHttpServer.make(() => server, { host, port, disablePreemptiveShutdown: true })
  const listeners = yield* RequestListener.make(handlers, drain)
  server.on("request", (request, response) => {
    if (!answer(request, response)) listeners.request(request, response)
  })
  server.on("checkContinue", (request, response) => {
    if (!answer(request, response)) listeners.checkContinue(request, response)
  })
  yield* Effect.addFinalizer(() => drain.finish(times))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
})
