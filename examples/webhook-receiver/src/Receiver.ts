// A receiver of webhooks. It answers 401 to requests that are not genuine, and handles each delivery once.
import { ReceivedDeliveries, WebhookReceiver } from "@frontdesk/webhook-receiver"
import { createServer } from "node:http"
import type { IncomingMessage, Server } from "node:http"

/** The content of a delivery. */
export interface Delivery {
  readonly id: string
  readonly event: string | null
  readonly payload: unknown
}

/** The maximum size of a body, in bytes. */
const maxBodyBytes = 1_048_576

/**
 * Returns an HTTP server that calls `handle` once for each delivery that is signed with one of the secrets.
 *
 * The sender repeats a delivery with the same id until it receives 2xx within 10 seconds. The server answers a repeat
 * and does not handle it again. A real receiver stores the ids so that they survive a restart: see
 * `ReceivedDeliveries`.
 */
export const makeServer = (options: WebhookReceiver.Options, handle: (delivery: Delivery) => Promise<void>): Server => {
  const receiver = WebhookReceiver.make(options)
  const received = ReceivedDeliveries.inMemory()

  const receive = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405
    const body = await read(request)
    if (body === null) return 413
    const result = await receiver.verify({ headers: request.headers, body })
    if (!result.ok) {
      console.error("refused:", result.reason)
      return 401
    }
    const { id, event, payload } = result
    const outcome = await ReceivedDeliveries.handleOnce(received, id, () => handle({ id, event, payload }))
    return outcome === "busy" ? 409 : 200
  }

  return createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status).end()
    receive(request).then(answer, (error: unknown) => {
      console.error("failed:", error)
      answer(500)
    })
  })
}

/** Reads the exact bytes of a body, because the signature covers them. Returns null if the body is too large. */
const read = async (request: AsyncIterable<Buffer>): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > maxBodyBytes ? null : Buffer.concat(chunks)
}
