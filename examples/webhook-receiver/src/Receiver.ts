// A receiver of webhooks: answers 401 to what is not genuine, 200 to the rest, and takes each delivery once.
import { ReceivedDeliveries, WebhookReceiver } from "@frontdesk/webhook-receiver"
import { createServer } from "node:http"
import type { IncomingMessage, Server } from "node:http"

/** What a delivery says. */
export interface Delivery {
  readonly id: string
  readonly event: string | null
  readonly payload: unknown
}

/** The longest body that is read, in bytes. */
const maxBodyBytes = 1_048_576

/**
 * An HTTP server that calls `take` once for each delivery signed with one of the secrets.
 *
 * A delivery comes again, under its id, until it is answered with 2xx within 10 seconds; what has been taken is answered
 * and not taken again. A real receiver remembers the ids where they survive a restart: see `ReceivedDeliveries`.
 */
export const makeServer = (options: WebhookReceiver.Options, take: (delivery: Delivery) => Promise<void>): Server => {
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
    const outcome = await ReceivedDeliveries.handleOnce(received, id, () => take({ id, event, payload }))
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

/** The body as it came: the signature covers these bytes. Null when it is too long, in which case none of it is kept. */
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
