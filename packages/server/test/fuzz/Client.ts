import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import type { Caller } from "./Installation.ts"

/** An answer as it came. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** What is sent. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | null
}

/** Sends requests to a server. */
export interface Client {
  /** Returns the answer, or the error that came in its place. */
  readonly send: (caller: Caller, sent: Sent) => Promise<Answer | Error>
}

/** The longest wait for an answer, in milliseconds. */
const timeout = 30_000

/** A client of a server. */
export const make = (url: string): Client => {
  const { hostname, port } = new URL(url)
  const send: Client["send"] = (caller, { body = null, headers, method, target }) =>
    new Promise((resolve) => {
      const outgoing = request(
        {
          // A connection that is kept may be closed by the server just when the next request is sent.
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
