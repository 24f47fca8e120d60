import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A request as it came. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** What is answered; a body that is no string is sent as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What goes wrong with a request. */
export type Fault =
  /** It is answered otherwise, and nothing is done. */
  | { readonly kind: "answer"; readonly reply: Reply }
  /** The connection breaks before anything is done. */
  | { readonly kind: "dropped" }
  /** It is done, and then the connection breaks. */
  | { readonly kind: "lost" }
  /** It is done, and never answered. */
  | { readonly kind: "silent" }
  /** It is done, and half of the answer comes. */
  | { readonly kind: "torn" }
  /** It is done, and this comes as the answer. */
  | { readonly kind: "garbled"; readonly body: string }
  /** It is done, and the answer waits until this is over. */
  | { readonly kind: "slow"; readonly until: Promise<void> }

/** A server on a socket of this machine. */
export interface FakeServer {
  readonly url: string
  /** Every request so far. */
  readonly asked: Array<Asked>
  /** What goes wrong with the next request that it fits. */
  readonly fail: (fault: Fault, fits?: (asked: Asked) => boolean) => void
}

/** Starts a server that answers as `handle` says, until the scope ends. */
export const start = (handle: (asked: Asked, base: string) => Reply): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const faults: Array<{ readonly fault: Fault; readonly fits: (asked: Asked) => boolean }> = []
    let base = ""

    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      await once(request, "end")
      const question: Asked = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", base),
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      asked.push(question)
      const index = faults.findIndex(({ fits }) => fits(question))
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
      if (fault?.kind === "dropped") return void request.socket.destroy()
      const reply = fault?.kind === "answer" ? fault.reply : handle(question, base)
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
        const made = createServer((request, response) => void answer(request, response))
        made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.die("no port")
    base = `http://127.0.0.1:${address.port}`
    return { url: base, asked, fail: (fault, fits = () => true) => void faults.push({ fault, fits }) }
  })

const textOf = ({ body }: Reply): string =>
  body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
