import type { NotSent, WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"
import type { Connections } from "./Connections.ts"
import * as NoAnswer from "./NoAnswer.ts"
import type { Target } from "./RequestTarget.ts"

/** The maximum number of bytes of a response body that are read. */
const maxBodyBytes = 4_096

/**
 * The timeout between two parts of a body. Without it a receiver could keep a connection busy without sending content.
 */
const maxSilenceMillis = 1_000

/**
 * The maximum number of informational responses (1xx) to one request. Without it a receiver could send them without
 * end.
 */
const maxInformational = 16

/**
 * Sends one request and returns its response. One timeout covers name resolution, connection, TLS, request and
 * response.
 *
 * The status counts when the head of the response arrives in time. The body is read until it ends, breaks off, pauses
 * too long or reaches {@link maxBodyBytes}, or until the timeout. Redirects are not followed, and the body is not
 * decompressed. A connection is reused only after a response that was read to its end. Returns `NotSent` when
 * `mayBegin` returns false: once the connection is ready, or when the timeout ends before that.
 *
 * A receiver may close an idle connection at the moment when a request is written to it. A request that finds its idle
 * connection closed, before any part of the response, is therefore sent once more on a new connection. When `mayBegin`
 * returns false before that, the result is `NotSent`, although the first try was written.
 */
export const send = (
  connections: Connections,
  { origin, path }: Target,
  request: WebhookRequest
): Effect.Effect<WebhookResponse | NotSent> =>
  Effect.callback((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    let isWritten = false
    let hasBegun = false
    let informational = 0
    let status: number | undefined
    let size = 0
    const chunks: Array<Buffer> = []

    const stop = () => {
      isOver = true
      cancelTimeout()
      controller?.abort(stopped)
    }
    // After the head has arrived, the status is the result, whatever ends the exchange. When the exchange ends before
    // the write and `mayBegin` returns false, the receiver has not failed.
    const end = (withoutHead: WebhookResponse | NotSent = timedOut) => {
      if (isOver) return
      const isUnsent = !isWritten && !request.mayBegin()
      stop()
      const unanswered = isUnsent ? notSent : withoutHead
      resume(Effect.succeed(status === undefined ? unanswered : { _tag: "Answered", status, body: textOf(chunks) }))
    }

    const dispatch = (pool: Dispatcher) => {
      let isFirst = pool === connections.single
      pool.dispatch(
        {
          origin,
          path,
          method: "POST",
          headers: request.headers,
          body: request.body,
          // The timeout around the whole exchange is enforced below.
          headersTimeout: 0,
          bodyTimeout: maxSilenceMillis
        },
        {
          onRequestStart: (started) => {
            controller = started
            isFirst ||= connections.isNew()
            // undici calls this right before it writes the request. A request that is aborted here is not written.
            if (isOver) started.abort(stopped)
            else if (!request.mayBegin()) end(notSent)
            else isWritten = true
          },
          onResponseStarted: () => {
            hasBegun = true
          },
          onResponseStart: (_controller, code) => {
            // An informational response such as 103 is not the response.
            if (code >= 200) status = code
            else if (++informational > maxInformational) end(NoAnswer.of(new TooManyInformational()))
          },
          onResponseData: (_controller, chunk) => {
            chunks.push(chunk.subarray(0, maxBodyBytes - size))
            size += chunk.length
            if (size >= maxBodyBytes) end()
          },
          onResponseEnd: () => end(),
          onResponseError: (_controller, error) => {
            // A request that fails before it starts was waiting for a new or an idle connection.
            const wasIdle = !isFirst && !connections.isNew()
            if (wasIdle && !hasBegun && !isOver && isClosed(error)) dispatch(connections.single)
            else end(NoAnswer.of(error))
          }
        }
      )
    }

    const cancelTimeout = connections.deadlines.after(Duration.toMillis(request.timeout), () => end())
    dispatch(connections.pooled)
    return Effect.sync(stop)
  })

const timedOut: WebhookResponse = { _tag: "NoAnswer", reason: "timed out" }

const notSent: NotSent = { _tag: "NotSent" }

const stopped = new Error("stopped")

/** The receiver sent more than {@link maxInformational} informational responses. */
class TooManyInformational extends Error {
  readonly code = "TOO_MANY_INFORMATIONAL"
}

/** Returns whether an error states that the receiver closed the connection. */
const isClosed = (error: Error): boolean =>
  "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE" || error.code === "UND_ERR_SOCKET")

// PostgreSQL does not accept NUL in a text.
const textOf = (chunks: ReadonlyArray<Buffer>): string =>
  chunks.length === 0 ? "" : Buffer.concat(chunks).toString("utf8").replaceAll("\0", "")
