import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Server } from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A request that the server has received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** An answer, or a function that answers in another way or not at all. */
export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((response: ServerResponse) => void)

/** An HTTP server on this machine with scripted answers. */
export interface ScriptedServer extends Server {
  /** All requests so far, oldest first. */
  readonly requests: ReadonlyArray<ReceivedRequest>
}

/** Starts a server that answers with the result of `answer`. Its calendar is `/calendar/`. It stops when the scope ends. */
export const scriptedServer = (
  answer: (request: ReceivedRequest) => Reply
): Effect.Effect<ScriptedServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const requests: Array<ReceivedRequest> = []
      const respond = async (request: IncomingMessage, response: ServerResponse) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk)
        const { headers, method = "", url: path = "" } = request
        const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
        requests.push(received)
        const reply = answer(received)
        if (typeof reply === "function") return reply(response)
        response.writeHead(reply.status, reply.headers).end(reply.body)
      }
      const http = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1")
      await once(http, "listening")
      const address = http.address()
      if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
      const url = `http://127.0.0.1:${address.port}/`
      return { http, server: { url, calendar: `${url}calendar/`, username: "ada", password: "open sesame", requests } }
    }),
    ({ http }) =>
      Effect.promise(async () => {
        http.closeAllConnections()
        http.close()
        await once(http, "close")
      })
  ).pipe(Effect.map(({ server }) => server))

/** Returns the body of a 207 answer. */
export const multistatus = (...responses: ReadonlyArray<string>): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses
    .map((response) => `<d:response>${response}</d:response>`)
    .join("")}</d:multistatus>`

/** Returns a resource with properties for {@link multistatus}. */
export const found = (href: string, properties: string): string =>
  `<d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`

/** Returns an iCalendar object with lines in its event. */
export const object = (uid: string, ...lines: ReadonlyArray<string>): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Somebody//EN",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20260101T000000Z",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].join("\r\n")
