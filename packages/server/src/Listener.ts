import { createServer, type Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import type { FrontdeskHttp } from "@frontdesk/http"
import * as Refusals from "./Refusals.ts"
import type { Settings } from "./settings/Settings.ts"

/** How long requests that have begun may take after the server has stopped accepting. */
const grace = "9 seconds"

/** How often connections that have nothing to do any more are closed meanwhile. */
const sweepEvery = Schedule.spaced("25 millis")

/** How long the headers and the whole of a request may take to arrive, in milliseconds. */
const timeouts = { headersTimeout: 30_000, requestTimeout: 120_000, connectionsCheckingInterval: 5_000 }

/** Closes connections as they become idle; a closing server would wait for callers that keep theirs open. */
const closeIdleConnections = (server: Server): Effect.Effect<void> => {
  let isClosed = false
  server.once("close", () => {
    isClosed = true
  })
  const sweep = Effect.sync(() => server.closeIdleConnections())
  return Effect.asVoid(Effect.forkDetach(Effect.repeat(sweep, { schedule: sweepEvery, until: () => isClosed })))
}

/**
 * Answers requests on the address of the settings until the scope ends; then it accepts no more and finishes those that
 * have begun. Answers the port.
 */
export const listen = Effect.fn("Listener.listen")(function* (
  app: FrontdeskHttp.App,
  { host, port }: Pick<Settings, "host" | "port">
): Effect.fn.Return<number, ServeError, Crypto | Scope.Scope> {
  // Nothing here is upgraded; Node would take such a connection from its parser, and no further request would be read.
  const server = createServer({ ...timeouts, requireHostHeader: false, shouldUpgradeCallback: () => false })
  const handled = yield* Refusals.handle(server, app)
  const listening = yield* NodeHttpServer.make(() => server, { host, port, gracefulShutdownTimeout: grace })
  yield* listening.serve(handled)
  yield* Effect.addFinalizer(() => closeIdleConnections(server))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
})
