import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A request that the server has received. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** An answer of the server. A body that is not a string is sent as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A fault of one request. */
export type Fault =
  /** The server does not carry out the request, and sends this answer. */
  | { readonly kind: "answer"; readonly reply: Reply }
  /** The server does not carry out the request, and closes the connection. */
  | { readonly kind: "dropped" }
  /** The server carries out the request, and closes the connection. */
  | { readonly kind: "lost" }
  /** The server carries out the request, and never answers. */
  | { readonly kind: "silent" }
  /** The server carries out the request, and closes the connection after half of the answer. */
  | { readonly kind: "torn" }
  /** The server carries out the request, and sends this body as its answer. */
  | { readonly kind: "garbled"; readonly body: string }
  /** The server carries out the request when the promise has settled. */
  | { readonly kind: "preceded"; readonly first: () => Promise<void> }
  /** The server carries out the request, and answers after the promise has settled. */
  | { readonly kind: "slow"; readonly until: Promise<void> }

/** An HTTP server on this machine. */
export interface FakeServer {
  readonly url: string
  /** All requests so far, oldest first. */
  readonly requests: Array<ReceivedRequest>
  /** Sets a fault for the next request that `fits` accepts. Default: any request. */
  readonly fail: (fault: Fault, fits?: (request: ReceivedRequest) => boolean) => void
}

/** Starts a server that answers with the result of `handle`. It stops when the scope ends. */
export const start = (
  handle: (request: ReceivedRequest, base: string) => Reply
): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<ReceivedRequest> = []
    const faults: Array<{ readonly fault: Fault; readonly fits: (request: ReceivedRequest) => boolean }> = []
    let base = ""

    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      await once(request, "end")
      const received: ReceivedRequest = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", base),
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      requests.push(received)
      const index = faults.findIndex(({ fits }) => fits(received))
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
      if (fault?.kind === "dropped") return void request.socket.destroy()
      if (fault?.kind === "preceded") await fault.first()
      const reply = fault?.kind === "answer" ? fault.reply : handle(received, base)
      if (fault?.kind === "silent") return
      if (fault?.kind === "lost") return void request.socket.destroy()
      if (fault?.kind === "slow") await fault.until
      const text = fault?.kind === "garbled" ? fault.body : textOf(reply)
      const type = typeof reply.body === "string" ? "text/plain" : "application/json; charset=UTF-8"
      response.writeHead(reply.status, { "content-type": type, ...reply.headers })
      if (fault?.kind !== "torn") return void response.end(text)
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
    }

    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer((request, response) => void answer(request, response))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address()
    if (address === null || typeof address === "string")
      return yield* Effect.die("The server does not listen on a port")
    base = `http://127.0.0.1:${address.port}`
    return { url: base, requests, fail: (fault, fits = () => true) => void faults.push({ fault, fits }) }
  })

const textOf = ({ body }: Reply): string =>
  body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
