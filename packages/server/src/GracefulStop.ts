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
import { bytesOf, endAfterAnswer, hangUp, type Refusal } from "./RawResponse.ts"
import type { Settings } from "./settings/Settings.ts"

const stopping: Refusal = {
  status: 503,
  error: "service_unavailable",
  message: "The server is stopping and has not finished this request",
  headers: { "retry-after": "1" }
}

/** How often a stopping server looks for idle connections, in milliseconds. */
const sweepInterval = 25

/**
 * How long a connection without a request stays open after the listener is closed, in milliseconds. A request that the
 * client sent before the signal may still arrive in this time.
 */
const settleTime = 250

/**
 * The last part of the shutdown timeout, in milliseconds, in which unfinished requests are refused. A timeout below two
 * seconds reserves half of itself instead.
 */
const refusalTime = 1_000

/** Whether the process has received the signal to stop. Every part of the server reads the same object. */
export interface Stopping {
  hasBegun: boolean
}

/** Runs `then` after the event loop has polled every socket once more. */
const afterTurn = (then: () => void): void => {
  // An immediate that is set while sockets are read runs before the next poll, so a single one would be too early.
  setImmediate(() => setImmediate(then))
}

/** How a server stops. */
export interface GracefulStop {
  /** Decides whether the answer to a request is the last one of its connection, and has to say so. */
  readonly beforeAnswer: (request: IncomingMessage, answer: (isLast: boolean) => void) => void
  /** Wraps the app of a server of Effect, so that {@link beforeAnswer} decides about its answers. */
  readonly guard: (app: FrontdeskHttp.App) => FrontdeskHttp.App
  /** Stops the server, within the delay and the timeout. */
  readonly finish: (times: Pick<Settings, "shutdownDelay" | "shutdownTimeout">) => Effect.Effect<void>
}

/**
 * Prepares a server for a stop that loses no request which a client sent before the signal.
 *
 * Closing a listener resets the connections that the kernel has queued, and closing a connection with unread bytes resets
 * it too. Therefore the listener closes only after a poll that found no new connection, and a connection only after a
 * poll that found no bytes. After the signal an answer has `Connection: close` if no later request has arrived on its
 * connection.
 */
export const make = Effect.fnUntraced(function* (server: Server, { openOn }: Exchanges, stop: Stopping) {
  const requestId = yield* RequestId.make
  const connections = new Set<Socket>()
  let accepted = 0
  server.on("connection", (socket) => {
    accepted += 1
    connections.add(socket)
    socket.once("close", () => connections.delete(socket))
  })

  const isLast = (request: IncomingMessage): boolean =>
    openOn(request.socket).at(-1)?.req === request && !request.socket.isPaused()

  const beforeAnswer: GracefulStop["beforeAnswer"] = (request, answer) => {
    if (!stop.hasBegun) return answer(false)
    afterTurn(() => {
      const isLastAnswer = isLast(request)
      if (isLastAnswer) endAfterAnswer(request.socket)
      answer(isLastAnswer)
    })
  }

  const guard: GracefulStop["guard"] = (app) =>
    Effect.flatMap(HttpServerRequest, ({ source }) =>
      source instanceof IncomingMessage
        ? Effect.flatMap(app, (response) =>
            Effect.callback<HttpServerResponse.HttpServerResponse>((resume) =>
              beforeAnswer(source, (isLastAnswer) =>
                resume(
                  Effect.succeed(
                    isLastAnswer ? HttpServerResponse.setHeader(response, "connection", "close") : response
                  )
                )
              )
            )
          )
        : app
    )

  const closeIdle = (): void => {
    Server.prototype.closeIdleConnections.call(server)
    // Node does not regard a connection as idle if no byte has ever arrived on it.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Closes all connections: with 503, or at once if an answer has begun. Returns their number. */
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
      // The event loop may accept only one connection in each poll, so this repeats until a poll accepts none.
      const closeWhenQuiet = (before: number): void =>
        afterTurn(() => {
          if (accepted !== before && performance.now() < deadline) return closeWhenQuiet(accepted)
          // `close` calls this method. Node's own version would close connections that were accepted a moment ago, and
          // lose the requests on them.
          server.closeIdleConnections = () => {}
          server.close()
          resume(Effect.void)
        })
      closeWhenQuiet(-1)
    })

  /** Closes connections as they become idle. At the deadline it closes the others, and returns how many those were. */
  const closeConnections = (deadline: number): Effect.Effect<number> =>
    Effect.callback((resume) => {
      const settledAt = performance.now() + settleTime
      const sweep = (): void => {
        const now = performance.now()
        if (now >= settledAt) closeIdle()
        if (connections.size === 0) resume(Effect.succeed(0))
        else if (now >= deadline) resume(Effect.sync(refuseRest))
        else setTimeout(() => afterTurn(sweep), sweepInterval)
      }
      sweep()
    })

  const finish = Effect.fnUntraced(function* (times: Pick<Settings, "shutdownDelay" | "shutdownTimeout">) {
    stop.hasBegun = true
    yield* Effect.sleep(times.shutdownDelay)
    const timeout = Duration.toMillis(times.shutdownTimeout)
    const maxWait = Math.max(timeout - refusalTime, timeout / 2)
    const since = performance.now()
    // Half of the time at most: clients that keep connecting must not use up the time of the open requests.
    yield* closeListener(since + maxWait / 2)
    const refused = yield* closeConnections(since + maxWait)
    if (refused === 0) return
    yield* Effect.logWarning(
      `${refused} connections had unfinished requests after ${maxWait / 1_000} seconds. They were closed with 503, or in the ` +
        "middle of an answer that had begun"
    ).pipe(Effect.annotateLogs({ requests: refused }), LogEvent.annotate("server.requests_refused"))
    yield* Effect.sleep((timeout - maxWait) / 2)
    server.closeAllConnections()
  })

  return { beforeAnswer, guard, finish } satisfies GracefulStop
})
