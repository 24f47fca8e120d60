import type { WebhookRequest, WebhookResponse } from "@frontdesk/core/webhook/WebhookSender"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Dispatcher } from "undici"

/** There is no answer, for another reason than the deadline. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{ readonly cause: Error }> {}

/** How many bytes of an answer's body are read. */
const maxBodyBytes = 4_096

/**
 * Sends one request within its deadline, which is one for everything: name, connection, TLS, request and answer.
 *
 * The answer is what its head says, if that came in time; its body is read until it ends, breaks off, has
 * {@link maxBodyBytes}, or the deadline comes. What arrives is taken as it is: no redirect is followed and nothing is
 * unpacked. A connection is used again only when the answer was read to its end. Fails when there is no answer for
 * another reason than the deadline.
 */
export const send = Effect.fnUntraced(function* (
  dispatcher: Dispatcher,
  url: URL,
  request: WebhookRequest
): Effect.fn.Return<WebhookResponse, ExchangeFailed> {
  let status: number | undefined
  let size = 0
  const chunks: Array<Buffer> = []

  const answer = Effect.callback<void, ExchangeFailed>((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let stopped = false
    const stop = () => {
      stopped = true
      controller?.abort(new Error("stopped"))
    }
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: "POST",
        headers: request.headers,
        body: request.body,
        // The deadline is kept outside, around everything.
        headersTimeout: 0,
        bodyTimeout: 0
      },
      {
        onRequestStart: (started) => {
          controller = started
          if (stopped) stop()
        },
        onResponseStart: (_controller, code) => {
          // An informational answer such as 103 is not the answer.
          if (code >= 200) status = code
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk.subarray(0, maxBodyBytes - size))
          size += chunk.length
          if (size >= maxBodyBytes) stop()
        },
        onResponseEnd: () => resume(Effect.void),
        onResponseError: (_controller, error) =>
          resume(status === undefined ? Effect.fail(new ExchangeFailed({ cause: error })) : Effect.void)
      }
    )
    return Effect.sync(stop)
  })

  const inTime = yield* Effect.timeoutOption(answer, request.timeout)
  if (status !== undefined) return { _tag: "Answered", status, body: textOf(chunks) }
  return { _tag: "NoAnswer", reason: Option.isNone(inTime) ? "timed out" : "the connection failed" }
})

// Postgres takes no NUL in a text.
const textOf = (chunks: ReadonlyArray<Buffer>): string => Buffer.concat(chunks).toString("utf8").replaceAll("\0", "")
