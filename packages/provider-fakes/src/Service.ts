import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** A request that a service has received. */
export interface Incoming {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/**
 * The reaction to a request: an answer with a JSON body, `cut` to close the connection without an answer, or `hang` to
 * leave the request unanswered.
 */
export type Outgoing =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "cut"
  | "hang"

/** An HTTP server on a port of the loopback interface. */
export interface Service extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** The received requests, oldest first. */
  readonly requests: ReadonlyArray<Incoming>
  /** Closes all connections and refuses new ones. */
  readonly down: () => Promise<void>
  /** Accepts connections again, on the same port. */
  readonly up: () => Promise<void>
}

/** Opens a service on a port, or on any free port for 0. A text as the body of an answer is sent unchanged. */
export const open = async (port: number, handle: (request: Incoming) => Promise<Outgoing>): Promise<Service> => {
  const requests: Array<Incoming> = []
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Array<Uint8Array> = []
      for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
      const incoming: Incoming = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", "http://127.0.0.1"),
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()])),
        body: Buffer.concat(chunks).toString("utf8")
      }
      requests.push(incoming)
      const outgoing = await handle(incoming)
      if (outgoing === "hang") return
      if (outgoing === "cut") return void request.socket.destroy()
      const { body, headers, status } = outgoing
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(typeof body === "string" ? body : JSON.stringify(body))
    })().catch(() => request.socket.destroy())
  })
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(at, "127.0.0.1", () => {
        server.off("error", reject)
        resolve()
      })
    })
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(port)
  const address = server.address()
  const actual = isAddress(address) ? address.port : port
  return {
    port: actual,
    url: `http://127.0.0.1:${actual}`,
    requests,
    down,
    up: () => listen(actual),
    [Symbol.asyncDispose]: down
  }
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null
