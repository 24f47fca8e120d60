import type { WebhookRequest } from "@frontdesk/core/webhook/WebhookSender"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"

/** How many bytes of an answer's body are read. */
export const maxBodyBytes = 4_096

/** An answer whose head has come. */
export interface Head {
  readonly status: number
  /** The first part of the body, when it has ended, been cut off, or broken off. */
  readonly body: Promise<string>
  /** Stops reading: what came of the body until now is all of it. */
  readonly stop: () => void
}

/**
 * Sends one request and waits for the head of the answer. Interrupting it closes the connection.
 *
 * What arrives is taken as it is: no redirect is followed, nothing is unpacked, and nothing is read beyond the first
 * {@link maxBodyBytes}. A connection is used again only when the answer was read to its end.
 */
export const send = (dispatcher: Dispatcher, url: URL, request: WebhookRequest): Effect.Effect<Head, Error> =>
  Effect.callback<Head, Error>((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let stopped = false
    let hasHead = false
    let size = 0
    const chunks: Array<Buffer> = []
    const { promise, resolve } = Promise.withResolvers<string>()

    // Postgres takes no NUL in a text.
    const settle = () => resolve(Buffer.concat(chunks).toString("utf8").replaceAll("\0", ""))
    const stop = () => {
      if (stopped) return
      stopped = true
      settle()
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
          if (stopped) started.abort(new Error("stopped"))
        },
        onResponseStart: (_controller, status) => {
          // An informational answer such as 103 is not the answer.
          if (status < 200) return
          hasHead = true
          resume(Effect.succeed({ status, body: promise, stop }))
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk.subarray(0, maxBodyBytes - size))
          size += chunk.length
          if (size >= maxBodyBytes) stop()
        },
        onResponseEnd: () => {
          stopped = true
          settle()
        },
        onResponseError: (_controller, error) => {
          stopped = true
          settle()
          if (!hasHead) resume(Effect.fail(error))
        }
      }
    )
    return Effect.sync(stop)
  })
