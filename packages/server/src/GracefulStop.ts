import { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import type { FrontdeskHttp } from "@frontdesk/http"
import * as RequestId from "@frontdesk/http/request/RequestId"
import type { Exchanges } from "./OpenRequests.ts"
import { bytesOf, hangUp, type Refusal } from "./RawResponse.ts"
import type { Settings } from "./settings/Settings.ts"

const stopping: Refusal = {
  status: 503,
  error: "service_unavailable",
  message: "The server is stopping and has not finished this request",
  headers: { "retry-after": "1" }
}

/** How often connections are looked at while the server stops, in milliseconds. */
const sweepEvery = 25

/**
 * How long a connection without a request stays open after the listener is closed, in milliseconds: what was sent before
 * the signal may still be on its way.
 */
const settle = 250

/** The part of the shutdown timeout that is left, in milliseconds, when unfinished requests are refused. */
const reserve = 1_000

/** Whether the process has been told to stop. */
export interface Stopping {
  hasBegun: boolean
}

/** Runs `then` after the event loop has looked at every socket once more. */
const afterTurn = (then: () => void): void => {
  // An immediate that is set while sockets are being read runs before the next look at them, so one is not enough.
  setImmediate(() => setImmediate(then))
}

const turn: Effect.Effect<void> = Effect.callback((resume) => afterTurn(() => resume(Effect.void)))

/**
 * Ends a server without losing a request that was sent before it was told to stop.
 *
 * The kernel holds connections that were not accepted and bytes that were not read. To close the listener, or a
 * connection, resets them. So the listener closes after a look that found no connection, and a connection after a look
 * that found no bytes. An answer says `Connection: close` when no request behind it has come.
 */
export const make = Effect.fnUntraced(function* (server: Server, { openOn }: Exchanges, stop: Stopping) {
  const requestId = yield* RequestId.make
  const connections = new Set<Socket>()
  /** Connections whose last answer has been decided. */
  const ending = new WeakSet<Socket>()
  let accepted = 0
  server.on("connection", (socket) => {
    accepted += 1
    connections.add(socket)
    socket.once("close", () => connections.delete(socket))
  })

  const isLast = (request: IncomingMessage): boolean =>
    openOn(request.socket).at(-1)?.req === request && !request.socket.isPaused()

  /** Makes an answer the last of its connection, which then closes without a reset. */
  const end = (response: HttpServerResponse.HttpServerResponse, { socket }: IncomingMessage) => {
    ending.add(socket)
    // Node calls this after an answer that closes. Its own closes at once, also with unread bytes.
    socket.destroySoon = () => hangUp(socket)
    return HttpServerResponse.setHeader(response, "connection", "close")
  }

  const guard = (app: FrontdeskHttp.App): FrontdeskHttp.App =>
    Effect.flatMap(HttpServerRequest, ({ source }) => {
      if (!(source instanceof IncomingMessage)) return app
      // It came behind the last answer, so the caller knows that it is not done, and may repeat it elsewhere.
      if (ending.has(source.socket)) return Effect.never
      return Effect.flatMap(app, (response) =>
        stop.hasBegun
          ? Effect.map(turn, () => (isLast(source) ? end(response, source) : response))
          : Effect.succeed(response)
      )
    })

  const closeIdle = (): void => {
    Server.prototype.closeIdleConnections.call(server)
    // Node does not count a connection as idle on which nothing has ever come.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }

  const refuseRest = (): number => {
    let refused = 0
    for (const socket of connections) {
      const [present] = openOn(socket)
      if (present?.headersSent === true) socket.destroy()
      else hangUp(socket, bytesOf(stopping, requestId(undefined)))
      refused += 1
    }
    return refused
  }

  const closeListener = (deadline: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      // The event loop accepts one connection each time it looks.
      const look = (before: number): void =>
        afterTurn(() => {
          if (accepted !== before && performance.now() < deadline) return look(accepted)
          // Node's own would close connections that have just been accepted, and what they sent with them.
          server.closeIdleConnections = () => {}
          server.close()
          resume(Effect.void)
        })
      look(-1)
    })

  /** Closes connections as they become idle. Returns how many requests are refused because the time is over. */
  const closeConnections = (deadline: number): Effect.Effect<number> =>
    Effect.callback((resume) => {
      const settledAt = performance.now() + settle
      const sweep = (): void => {
        const now = performance.now()
        if (now >= settledAt) closeIdle()
        if (connections.size === 0) resume(Effect.succeed(0))
        else if (now >= deadline) resume(Effect.sync(refuseRest))
        else setTimeout(() => afterTurn(sweep), sweepEvery)
      }
      sweep()
    })

  const finish = Effect.fnUntraced(function* (times: Pick<Settings, "shutdownDelay" | "shutdownTimeout">) {
    stop.hasBegun = true
    yield* Effect.sleep(times.shutdownDelay)
    const timeout = Duration.toMillis(times.shutdownTimeout)
    const patience = Math.max(timeout - reserve, timeout / 2)
    const since = performance.now()
    // Where connections never stop coming, the time for those that are open must not run out.
    yield* closeListener(since + patience / 2)
    const refused = yield* closeConnections(since + patience)
    if (refused === 0) return
    yield* Effect.logWarning(
      `${refused} requests were not finished after ${patience / 1_000} seconds and were answered with 503`
    ).pipe(Effect.annotateLogs({ requests: refused }), LogEvent.annotate("server.requests_refused"))
    yield* Effect.sleep((timeout - patience) / 2)
    server.closeAllConnections()
  })

  return { guard, finish }
})
