import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

/** How a server answers a request. */
export type Behaviour = (response: ServerResponse) => void

/** A request that arrived completely. */
export interface Arrived {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Returns a behaviour that answers with JSON. */
export const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

/** Resets the connection. */
export const reset: Behaviour = ({ socket }) => void socket?.resetAndDestroy()

/** Never answers. */
export const hang: Behaviour = () => {}

/** Runs a test with a server that behaves as listed, one behaviour for each request, the last one for all further ones. */
export const withFaultyServer = async (
  behaviours: ReadonlyArray<Behaviour>,
  test: (server: { readonly baseUrl: string; readonly arrived: ReadonlyArray<Arrived> }) => Promise<void>
): Promise<void> => {
  const arrived: Array<Arrived> = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const behaviour = behaviours[Math.min(arrived.length, behaviours.length - 1)] ?? hang
      arrived.push({ method: request.method, url: request.url, headers: request.headers, body })
      return behaviour(response)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  try {
    await test({ baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, arrived })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
