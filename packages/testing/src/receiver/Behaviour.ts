import { createHash } from "node:crypto"
import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { Received } from "./Reading.ts"

/** How a receiver treats a request. */
export interface Behaviour {
  /** What it does, in a few words, for the names of tests. */
  readonly name: string
  /** How much of a request is read before it acts: the head, half of the body, or the whole unless said. */
  readonly after?: "head" | "half" | "whole"
  /** What it does then. Nothing more is read from the connection if it acts before the whole request was read. */
  readonly act: (socket: Socket, request: Received) => void
  /** What it does to a new connection, before anything was read; only where it is the plan of the whole receiver. */
  readonly greet?: (socket: Socket) => void
}

/** One behaviour, or one chosen for each request. `times` is how many requests came to this path, this one included. */
export type Plan = Behaviour | ((request: Received, times: number) => Behaviour)

/** Breaks a connection off: with a reset, or over TLS, where Node has no way to, without a goodbye. */
export const breakOff = (socket: Socket): void => {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** An answer in the form it has on the wire. */
export const answerText = (
  status: number,
  { body = "", headers = {} }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}
): string => {
  const length = status === 204 || status === 304 ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n${body}`
}

/** Answers. `afterMillis` makes the head late. */
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

/** Sends the request elsewhere, or to another path. */
export const redirect = (status: 301 | 302 | 303 | 307 | 308, location: string): Behaviour => ({
  ...answer(status, { headers: { location } }),
  name: `redirects with ${status}`
})

/** Answers before the body of the request was read, and never reads it. */
export const answerEarly = (status = 200): Behaviour => ({
  name: "answers before reading the body",
  after: "head",
  act: (socket) => socket.write(answerText(status))
})

/** Answers each new connection before anything was read from it. */
export const answerUnasked = (status = 200): Behaviour => ({
  name: "answers before any request",
  greet: (socket) => socket.write(answerText(status)),
  act: () => {}
})

/** Never answers. */
export const hang: Behaviour = { name: "hangs", act: () => {} }

/** Closes the connection, politely, without an answer. */
export const hangUp: Behaviour = { name: "hangs up", act: (socket) => socket.end() }

/** Resets the connection: in the middle of the request, when it was read, or right after the head of a 200. */
export const reset = (when: "mid-request" | "before the head" | "after the head" = "before the head"): Behaviour => ({
  name: `resets ${when}`,
  after: when === "mid-request" ? "half" : "whole",
  act: (socket) => {
    if (when !== "after the head") breakOff(socket)
    else socket.write(answerText(200, { headers: { "content-length": "100" } }), () => breakOff(socket))
  }
})

/**
 * Answers the first request of a connection and says that it keeps the connection, then closes it as the next request
 * arrives.
 */
export const closeKept = (how: "reset" | "end"): Behaviour => ({
  name: `closes a kept connection as it is used again (${how})`,
  act: (socket, { turn }) => {
    if (turn === 1) socket.write(answerText(200))
    else if (how === "reset") breakOff(socket)
    else socket.end()
  }
})

/** Answers with what is not HTTP, and hangs up. */
export const garbage: Behaviour = { name: "talks nonsense", act: (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n") }

/** Answers, and follows with an answer nobody asked for: at once, or when the connection is idle. */
export const answerTwice = (extra: string, delay: "at once" | "later"): Behaviour => ({
  name: `answers twice, ${delay}`,
  act: (socket) => {
    if (delay === "at once") socket.write(answerText(200) + extra)
    else socket.write(answerText(200), () => setImmediate(() => socket.write(extra)))
  }
})

/** The first requests to a path are treated badly, the others well. */
export const failFirst =
  (count: number, bad: Behaviour = answer(500), good: Behaviour = answer()): Plan =>
  (_request, times) =>
    times <= count ? bad : good

/** Requests are treated badly by a chance that is the same each time for the same seed. */
export const sometimes =
  (seed: number, probability: number, bad: Behaviour = answer(500), good: Behaviour = answer()): Plan =>
  ({ path }, times) => {
    const draw = createHash("sha256").update(`${seed} ${path} ${times}`).digest().readUInt32BE() / 2 ** 32
    return draw < probability ? bad : good
  }
