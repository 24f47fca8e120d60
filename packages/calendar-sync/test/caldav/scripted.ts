import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Server } from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What a server was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** What it answers, or does instead of answering. */
export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((response: ServerResponse) => void)

/** A server that answers as it is told, over a real socket. */
export interface Scripted extends Server {
  readonly asked: ReadonlyArray<Asked>
}

/** Runs a server until the scope is closed; the calendar is `/calendar/`. */
export const scripted = (answer: (asked: Asked) => Reply): Effect.Effect<Scripted, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<Asked> = []
      const respond = async (request: IncomingMessage, response: ServerResponse) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk)
        const { headers, method = "", url: path = "" } = request
        const question = { method, path, headers, body: Buffer.concat(chunks).toString() }
        asked.push(question)
        const reply = answer(question)
        if (typeof reply === "function") return reply(response)
        response.writeHead(reply.status, reply.headers).end(reply.body)
      }
      const http = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1")
      await once(http, "listening")
      const address = http.address()
      if (address === null || typeof address === "string") throw new Error("no port")
      const url = `http://127.0.0.1:${address.port}/`
      return { http, server: { url, calendar: `${url}calendar/`, username: "ada", password: "open sesame", asked } }
    }),
    ({ http }) =>
      Effect.promise(async () => {
        http.closeAllConnections()
        http.close()
        await once(http, "close")
      })
  ).pipe(Effect.map(({ server }) => server))

/** The body of a 207 answer. */
export const multistatus = (...responses: ReadonlyArray<string>): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses
    .map((response) => `<d:response>${response}</d:response>`)
    .join("")}</d:multistatus>`

/** A resource with properties in such a body. */
export const found = (href: string, properties: string): string =>
  `<d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`

/** An iCalendar object with these lines in its event. */
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
