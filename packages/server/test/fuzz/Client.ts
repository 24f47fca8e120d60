import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import type { Caller } from "./Installation.ts"

/** An answer of the server. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** A request to send. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | null
}

/** Sends requests to a server. */
export interface Client {
  /** Sends a request. Returns the answer, or the error if there is none. */
  readonly send: (caller: Caller, sent: Sent) => Promise<Answer | Error>
}

/** The timeout for an answer, in milliseconds. */
const timeout = 30_000

/** Creates a client for a server. It opens a new connection for each request. */
export const make = (url: string): Client => {
  const { hostname, port } = new URL(url)
  const send: Client["send"] = (caller, { body = null, headers, method, target }) =>
    new Promise((resolve) => {
      const outgoing = request(
        {
          // The server may close an idle connection at the moment at which a client reuses it.
          agent: false,
          hostname,
          port,
          method,
          path: target,
          timeout,
          headers: {
            ...headers,
            ...(caller.authorization !== null && { authorization: caller.authorization }),
            ...(body !== null && { "content-length": body.length })
          }
        },
        (response) => {
          buffer(response).then(
            (bytes) =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString("utf8") }),
            (error: unknown) => resolve(new Error("The answer was cut off", { cause: error }))
          )
        }
      )
      outgoing.once("timeout", () => outgoing.destroy(new Error(`No answer within ${timeout} ms`)))
      outgoing.once("error", resolve)
      outgoing.end(body ?? undefined)
    })
  return { send }
}
