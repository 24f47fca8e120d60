// A receiver of webhooks: answers 401 to what is not signed, 200 to the rest, and takes each delivery once.
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as WebhookSignature from "@frontdesk/core/webhook/WebhookSignature"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { createServer } from "node:http"
import type { IncomingMessage, Server } from "node:http"
import { buffer } from "node:stream/consumers"

/** What a delivery says. */
export interface Delivery {
  readonly id: string
  readonly event: string
  readonly body: unknown
}

/**
 * An HTTP server that calls `take` once for each delivery signed with the secret.
 *
 * The signature covers the bytes as they came, so they are verified before they are parsed. A delivery may come again:
 * its id is the same, so what has been taken is answered and not taken again. A real receiver keeps the ids where they
 * survive a restart.
 */
export const makeReceiver = (
  secret: Redacted.Redacted<string>,
  take: (delivery: Delivery) => Promise<void>
): Server => {
  const taken = new Set<string>()
  return createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status).end()
    receive(request).then(answer, () => answer(500))
  })

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await buffer(request)
    const signature = header(request, "x-service-signature")
    const isGenuine = await Effect.runPromise(
      WebhookSignature.verify(body, signature, secret).pipe(Effect.provide(Crypto.layerWebCrypto))
    )
    if (!isGenuine) return 401
    const id = header(request, "x-service-delivery-id")
    if (taken.has(id)) return 200
    await take({ id, event: header(request, "x-service-event"), body: JSON.parse(body.toString("utf8")) })
    // Remembered only now: had taking it failed, the answer is 500 and the delivery comes again.
    taken.add(id)
    return 200
  }
}

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? "")
