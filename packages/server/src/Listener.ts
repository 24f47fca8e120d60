import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import type { FrontdeskHttp } from "@frontdesk/http"
import { createServer } from "node:http"
import { isIPv6 } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import type * as Scope from "effect/Scope"
import * as GracefulStop from "./GracefulStop.ts"
import * as OpenRequests from "./OpenRequests.ts"
import * as ParserErrors from "./ParserErrors.ts"
import type { Settings } from "./settings/Settings.ts"
import * as UnreadResponses from "./UnreadResponses.ts"

/** How long the headers and the whole of a request may take to arrive, in milliseconds. */
const timeouts = { headersTimeout: 30_000, requestTimeout: 120_000, connectionsCheckingInterval: 5_000 }

/**
 * Answers requests on the address of the settings until the scope ends. Then it answers what was sent before, closes
 * every connection, and ends within the delay and the timeout of the settings. Returns the port.
 */
export const listen = Effect.fn("Listener.listen")(function* (
  app: FrontdeskHttp.App,
  { host, port, ...times }: Pick<Settings, "host" | "port" | "shutdownDelay" | "shutdownTimeout">,
  stopping: GracefulStop.Stopping = { hasBegun: false }
): Effect.fn.Return<number, ServeError, Crypto | Scope.Scope> {
  // Nothing here is upgraded; Node would take such a connection from its parser, and no further request would be read.
  const server = createServer({ ...timeouts, requireHostHeader: false, shouldUpgradeCallback: () => false })
  const exchanges = OpenRequests.watch(server)
  UnreadResponses.limit(server)
  const drain = yield* GracefulStop.make(server, exchanges, stopping)
  const handled = yield* ParserErrors.handle(server, exchanges, app)
  const listening = yield* NodeHttpServer.make(() => server, { host, port, disablePreemptiveShutdown: true })
  yield* listening.serve(drain.guard(handled))
  yield* Effect.addFinalizer(() => drain.finish(times))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
})

/** The address at which a server on this host and port can be reached from this machine. */
export const localUrl = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
