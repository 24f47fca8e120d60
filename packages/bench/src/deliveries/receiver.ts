import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import * as Schema from "effect/Schema"
import { createServer, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import * as Control from "../http/Control.ts"
import { type Arrival, monotonicMillis } from "./Inbox.ts"

const held = new Set<ServerResponse>()
let arrivals: Array<Arrival> = []
let isHanging = true

/** The answers to the `GET` requests of the measuring process, by path. */
const answers: Readonly<Record<string, () => unknown>> = {
  "/arrivals": () => {
    const noted = arrivals
    arrivals = []
    return noted
  },
  "/hang": () => {
    isHanging = true
  },
  "/release": () => {
    isHanging = false
    for (const response of held) response.end()
    held.clear()
  }
}

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))

const note = (body: string, at: number): void => {
  arrivals.push({ callId: decode(body).call.id, at })
}

/** The time after which a delivery to `/slow…` is answered, in milliseconds. */
const slowness = 250

/**
 * Handles deliveries. Each is answered at once, except those to `/slow…` and `/hanging…`. Stores the arrival of those to
 * `/noted`.
 */
const server = createServer((request, response) => {
  const at = monotonicMillis()
  const path = request.url ?? ""
  if (request.method === "GET") return void response.end(JSON.stringify(answers[path]?.() ?? null))
  if (path === "/noted") void text(request).then((body) => note(body, at))
  else request.resume()
  if (path.startsWith("/hanging") && isHanging) held.add(response)
  else if (path.startsWith("/slow")) setTimeout(() => response.end(), slowness)
  else response.end()
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") Control.listening(address.port)
})
