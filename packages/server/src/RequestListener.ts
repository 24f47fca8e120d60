import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import type { FrontdeskHttp } from "@frontdesk/http"
import { type ApiResponse, largeLength, partSize } from "@frontdesk/http/request/Exchange"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { GracefulStop } from "./GracefulStop.ts"
import { LinkedList } from "@frontdesk/core/values/LinkedList"
import { NodeRequest } from "./NodeRequest.ts"
import { endAfterAnswer, isEnding } from "./RawResponse.ts"

/** Writes an answer whose body is small. */
const write = (
  request: NodeRequest,
  source: IncomingMessage,
  response: ServerResponse,
  { body, headers, status }: ApiResponse,
  isLast: boolean
): void => {
  const closes = request.closes
  // A connection also closes when the client asks for it. With a part of the body unread, it would be reset.
  if (closes || (!response.shouldKeepAlive && !source.complete)) endAfterAnswer(source.socket)
  response.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(body),
    ...((isLast || closes) && { connection: "close" })
  })
  response.end(request.method === "HEAD" ? undefined : body)
  // Without a reader the rest of the body would stay on the connection.
  if (!source.complete && !request.hasNoBody) source.resume()
}

/** How long a client may take to read a part of an answer, in milliseconds, unless {@link make} gets another limit. */
const defaultMaxReadMillis = 60_000

/** Waits until a client has read what was written. Closes the connection of a client that takes too long. */
const drained = (response: ServerResponse, maxReadMillis: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const next = () => resume(Effect.void)
    response.once("drain", next)
    return Effect.sync(() => response.off("drain", next))
  }).pipe(
    Effect.timeoutOrElse({
      duration: Duration.millis(maxReadMillis),
      orElse: () =>
        Effect.andThen(
          Effect.sync(() => response.destroy()),
          Effect.interrupt
        )
    })
  )

/** Writes an answer in parts. Other callers get a turn between two parts. */
const writeInParts = Effect.fnUntraced(function* (
  response: ServerResponse,
  { body, headers, status, turn }: ApiResponse,
  isLast: boolean,
  maxReadMillis: number
) {
  const bytes = Utf8.encode(body)
  response.writeHead(status, { ...headers, "content-length": bytes.length, ...(isLast && { connection: "close" }) })
  for (let sent = 0; sent < bytes.length; sent += partSize) {
    yield* turn
    if (!response.write(bytes.subarray(sent, sent + partSize))) yield* drained(response, maxReadMillis)
  }
  response.end()
})

/**
 * Makes the listeners for the requests of a server of `node:http`.
 *
 * Operations of the API are answered without Effect's server, which takes about as much time as a short operation. Every
 * other request, and every request while a tracer is present, goes through it. A request in the absolute form does too.
 */
export const make = Effect.fnUntraced(function* (
  { app, operation }: FrontdeskHttp.RequestHandlers,
  stop: Pick<GracefulStop, "guard" | "beforeAnswer">,
  maxReadMillis: number = defaultMaxReadMillis
) {
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
  const other = yield* NodeHttpServer.makeHandler(stop.guard(app), { scope })
  const isTraced = yield* Effect.withFiber((fiber) => Effect.succeed(Tracing.isTraced(fiber)))
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  /** How to interrupt each request that is not answered yet. */
  const running = new LinkedList<Effect.Effect<void>>()
  yield* Scope.addFinalizer(
    scope,
    Effect.suspend(() =>
      Effect.forEach(running.entries(), ({ value: interrupt }) => interrupt, {
        concurrency: "unbounded",
        discard: true
      })
    )
  )

  /** Interrupts a request when the connection closes before its answer, or when the scope ends. */
  const interruptible = (response: ServerResponse, interrupt: Effect.Effect<void>): void => {
    const entry = running.add(interrupt)
    response.on("close", () => {
      running.remove(entry)
      if (!response.writableEnded) fork(interrupt)
    })
  }

  const listen = (source: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
    if (isEnding(source.socket)) return
    const request = new NodeRequest(source, response, awaitsContinue)
    const answer = (exit: Exit.Exit<ApiResponse>): void => {
      if (Exit.isFailure(exit) || response.destroyed) return
      stop.beforeAnswer(source, (isLast) => {
        const { value } = exit
        if (value.body.length <= largeLength || request.method === "HEAD")
          return write(request, source, response, value, isLast)
        const parts = fork(writeInParts(response, value, isLast, maxReadMillis))
        interruptible(response, Fiber.interrupt(parts))
      })
    }
    const operating = isTraced || !request.url.startsWith("/") ? undefined : operation(request, answer)
    if (operating !== undefined) {
      if (!response.writableEnded) interruptible(response, operating.interrupt)
      return
    }
    if (awaitsContinue) response.writeContinue()
    other(source, response)
  }

  const request: RequestListener = (source, response) => listen(source, response, false)
  const checkContinue: RequestListener = (source, response) => listen(source, response, true)
  return { request, checkContinue }
})
