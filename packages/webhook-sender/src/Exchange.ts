import type { NotSent, WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import type * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"
import type { Connections } from "./Connections.ts"
import type { Target } from "./RequestTarget.ts"

/** There is no answer, for another reason than the deadline. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{ readonly cause: Error }> {}

/** How many bytes of an answer's body are read. */
const maxBodyBytes = 4_096

/** For how long a body may bring nothing. Bytes without content could go on for ever, and cost work, too. */
const maxSilenceMillis = 1_000

/** How many informational answers may come before the answer: each costs work, and they could go on for ever. */
const maxInformational = 16

/**
 * Sends one request within its deadline, which is one for everything: name, connection, TLS, request and answer.
 *
 * The answer is what its head says, if that came in time; its body is read until it ends, breaks off, falls
 * silent, has {@link maxBodyBytes}, or the deadline comes. What arrives is taken as it is: no redirect is followed and
 * nothing is unpacked. A connection is used again only when the answer was read to its end. Nothing is written when the
 * request may not begin any more by the time its connection is ready. Fails when there is no answer for another reason
 * than the deadline.
 *
 * A receiver may close a connection that was kept just as the request is written to it. So a request that finds a kept
 * connection closed before any of the answer came is sent again, once, on a new one.
 */
export const send = (
  connections: Connections,
  { origin, path }: Target,
  request: WebhookRequest
): Effect.Effect<WebhookResponse | NotSent, ExchangeFailed> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback<WebhookResponse | NotSent, ExchangeFailed>((resume) => {
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
        deadline.interruptUnsafe()
        controller?.abort(stopped)
      }
      // Once the head has come it is the answer, whatever ends the exchange. A request whose time was over before
      // anything was written is no failure of the receiver.
      const end = (withoutHead = timedOut) => {
        if (isOver) return
        const isUnsent = !isWritten && !request.mayBegin()
        stop()
        if (status !== undefined) resume(Effect.succeed({ _tag: "Answered", status, body: textOf(chunks) }))
        else resume(isUnsent ? notSent : withoutHead)
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
            // The deadline is kept here, around everything.
            headersTimeout: 0,
            bodyTimeout: maxSilenceMillis
          },
          {
            onRequestStart: (started) => {
              controller = started
              isFirst ||= connections.isNew()
              // undici calls this right before it writes the request, and writes nothing of one that is aborted here.
              if (isOver) started.abort(stopped)
              else if (!request.mayBegin()) end(notSent)
              else isWritten = true
            },
            onResponseStarted: () => {
              hasBegun = true
            },
            onResponseStart: (_controller, code) => {
              // An informational answer such as 103 is not the answer.
              if (code >= 200) status = code
              else if (++informational > maxInformational) end(failed(new TooManyInformational()))
            },
            onResponseData: (_controller, chunk) => {
              chunks.push(chunk.subarray(0, maxBodyBytes - size))
              size += chunk.length
              if (size >= maxBodyBytes) end()
            },
            onResponseEnd: () => end(),
            onResponseError: (_controller, error) => {
              // One that fails unsent was waiting for a connection: for one that is made, or for one that was kept.
              const wasKept = !isFirst && !connections.isNew()
              if (wasKept && !hasBegun && !isOver && isClosed(error)) dispatch(connections.single)
              else end(failed(error))
            }
          }
        )
      }

      const deadline = Effect.runForkWith(context)(
        Effect.andThen(
          Effect.sleep(request.timeout),
          Effect.sync(() => end())
        )
      )
      dispatch(connections.kept)
      return Effect.sync(stop)
    })
  )

const timedOut: Effect.Effect<WebhookResponse | NotSent, ExchangeFailed> = Effect.succeed({
  _tag: "NoAnswer",
  reason: "timed out"
})

const notSent: Effect.Effect<NotSent> = Effect.succeed({ _tag: "NotSent" })

const stopped = new Error("stopped")

/** The receiver sends informational answers and comes to no answer. */
class TooManyInformational extends Error {
  readonly code = "TOO_MANY_INFORMATIONAL"
}

const failed = (cause: Error) => Effect.fail(new ExchangeFailed({ cause }))

/** Whether the other side closed the connection, one way or another. */
const isClosed = (error: Error): boolean =>
  "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE" || error.code === "UND_ERR_SOCKET")

// Postgres takes no NUL in a text.
const textOf = (chunks: ReadonlyArray<Buffer>): string => Buffer.concat(chunks).toString("utf8").replaceAll("\0", "")
