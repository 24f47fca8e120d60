import { createHash } from "node:crypto"
import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { Received } from "./Reading.ts"

/** How a receiver handles a request. */
export interface Behaviour {
  /** A short description, for the names of tests. */
  readonly name: string
  /**
   * How much of a request the receiver reads before it acts: the head, half of the body, or the whole. Default: whole.
   */
  readonly after?: "head" | "half" | "whole"
  /**
   * Acts on the request. If it acts before the whole request was read, the receiver reads nothing more from the
   * connection.
   */
  readonly act: (socket: Socket, request: Received) => void
  /**
   * Acts on a new connection before anything was read. Only used if the behaviour is the plan of the whole receiver.
   */
  readonly greet?: (socket: Socket) => void
}

/** One behaviour, or a function that chooses one for each request. `times` counts the requests to this path, from 1. */
export type Plan = Behaviour | ((request: Received, times: number) => Behaviour)

/** Resets a connection. Over TLS, where Node cannot reset, it closes the connection without a TLS alert. */
export const breakOff = (socket: Socket): void => {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Returns the text of an HTTP/1.1 answer. */
export const answerText = (
  status: number,
  { body = "", headers = {} }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}
): string => {
  const length = status === 204 || status === 304 ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n${body}`
}

/** Sends an answer with a status, headers and a body. `afterMillis` delays the head. */
export const answer = (
  status = 200,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly afterMillis?: number
  } = {}
): Behaviour => ({
  name: options.afterMillis === undefined ? `answers ${status}` : `answers ${status} after ${options.afterMillis} ms`,
  act: (socket) => {
    const write = () => socket.write(answerText(status, options))
    if (options.afterMillis === undefined) write()
    else {
      const timer = setTimeout(write, options.afterMillis)
      socket.once("close", () => clearTimeout(timer))
    }
  }
})

/** Redirects to another URL or path. */
export const redirect = (status: 301 | 302 | 303 | 307 | 308, location: string): Behaviour => ({
  ...answer(status, { headers: { location } }),
  name: `redirects with ${status}`
})

/** Sends an answer after the head of the request and never reads its body. */
export const answerEarly = (status = 200): Behaviour => ({
  name: "answers before reading the body",
  after: "head",
  act: (socket) => socket.write(answerText(status))
})

/** Sends an answer on each new connection before any request. */
export const answerUnprompted = (status = 200): Behaviour => ({
  name: "answers before any request",
  greet: (socket) => socket.write(answerText(status)),
  act: () => {}
})

/** Never answers. */
export const hang: Behaviour = { name: "hangs", act: () => {} }

/** Closes the connection with FIN, without an answer. */
export const hangUp: Behaviour = { name: "hangs up", act: (socket) => socket.end() }

/** Resets the connection in the middle of the request, after the request, or right after the head of a 200. */
export const reset = (when: "mid-request" | "before the head" | "after the head" = "before the head"): Behaviour => ({
  name: `resets ${when}`,
  after: when === "mid-request" ? "half" : "whole",
  act: (socket) => {
    if (when !== "after the head") breakOff(socket)
    else socket.write(answerText(200, { headers: { "content-length": "100" } }), () => breakOff(socket))
  }
})

/** Sends an answer to the first request of a connection, keeps it open, and closes it when the next request arrives. */
export const closeReused = (how: "reset" | "end"): Behaviour => ({
  name: `closes an idle connection when it is used again (${how})`,
  act: (socket, { turn }) => {
    if (turn === 1) socket.write(answerText(200))
    else if (how === "reset") breakOff(socket)
    else socket.end()
  }
})

/** Sends text that is not HTTP and closes the connection. */
export const garbage: Behaviour = {
  name: "answers with text that is not HTTP",
  act: (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n")
}

/** Sends an answer and extra text behind it: immediately, or when the connection is idle. */
export const answerTwice = (extra: string, delay: "at once" | "later"): Behaviour => ({
  name: `answers twice, ${delay}`,
  act: (socket) => {
    if (delay === "at once") socket.write(answerText(200) + extra)
    else socket.write(answerText(200), () => setImmediate(() => socket.write(extra)))
  }
})

/** Returns a plan with the behaviour `bad` for the first `count` requests to a path, and `good` for later ones. */
export const failFirst =
  (count: number, bad: Behaviour = answer(500), good: Behaviour = answer()): Plan =>
  (_request, times) =>
    times <= count ? bad : good

/** Returns a plan with the behaviour `bad` for random requests. The same seed chooses the same requests. */
export const sometimes =
  (seed: number, probability: number, bad: Behaviour = answer(500), good: Behaviour = answer()): Plan =>
  ({ path }, times) => {
    const draw = createHash("sha256").update(`${seed} ${path} ${times}`).digest().readUInt32BE() / 2 ** 32
    return draw < probability ? bad : good
  }
