import * as net from "node:net"
import * as tls from "node:tls"
import { answer } from "./Behaviour.ts"
import type { Behaviour, Plan } from "./Behaviour.ts"
import { read } from "./Reading.ts"
import type { Received } from "./Reading.ts"

/** Options of a receiver. */
export interface Options {
  /** The plan for requests to paths without a plan of their own. Default: answers 200. */
  readonly plan?: Plan
  /** The certificate and its key in PEM format, for TLS. Default: no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** A server on the loopback interface that handles requests by a plan and records them. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** The URL without a path, for example `http://127.0.0.1:40123`. */
  readonly url: string
  /** The requests that it has acted on, oldest first. */
  readonly requests: ReadonlyArray<Received>
  /** Returns how many connections were made. */
  readonly connections: () => number
  /** Returns how many connections are open. */
  readonly open: () => number
  /** Sets the plan for a path (without query), or for all paths without a plan of their own. */
  readonly plan: (plan: Plan, path?: string) => void
  /** Waits until it has acted on this many requests. */
  readonly received: (count: number) => Promise<void>
  /** Waits until no connection is open. */
  readonly idle: () => Promise<void>
  /** Resets all connections and refuses new ones until `up`. */
  readonly down: () => Promise<void>
  /** Listens on the same port again. */
  readonly up: () => Promise<void>
}

/**
 * Opens a receiver. Disposing of it closes the server and resets its connections.
 *
 * It needs only Node, neither Effect nor a test runner.
 *
 * @example
 * ```ts
 * await using receiver = await Receiver.open({ plan: Behaviour.failFirst(2) })
 * receiver.plan(Behaviour.hang, "/slow")
 * ```
 */
export const open = async (options: Options = {}): Promise<Receiver> => {
  let everywhere: Plan = options.plan ?? answer()
  const plans = new Map<string, Plan>()
  const times = new Map<string, number>()
  const requests: Array<Received> = []
  const sockets = new Set<net.Socket>()
  const waiting = new Set<() => void>()
  let connections = 0

  const changed = () => {
    for (const check of waiting) check()
  }
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!holds()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })

  const choose = (request: Received): Behaviour => {
    const path = request.path.replace(/\?.*$/s, "")
    const plan = plans.get(path) ?? everywhere
    const count = (times.get(path) ?? 0) + 1
    times.set(path, count)
    return typeof plan === "function" ? plan(request, count) : plan
  }

  const serve = (socket: net.Socket) => {
    connections += 1
    if (typeof everywhere !== "function") everywhere.greet?.(socket)
    let behaviour: Behaviour = answer()
    read(socket.on("error", ignore).setNoDelay(true), connections, (stage, request) => {
      if (stage === "head") behaviour = choose(request)
      const { act, after = "whole" } = behaviour
      if (stage !== after) return true
      requests.push(request)
      act(socket, request)
      changed()
      return stage === "whole"
    })
  }

  const track = (socket: net.Socket) => {
    sockets.add(socket.on("error", ignore))
    socket.once("close", () => {
      sockets.delete(socket)
      changed()
    })
  }

  const server =
    options.tls === undefined
      ? net.createServer(serve)
      : tls.createServer({ ...options.tls, ALPNProtocols: ["http/1.1"] }, serve)
  server.on("connection", track)

  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject)
        const address = server.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.resetAndDestroy()
    })

  const port = await listen(0)
  return {
    port,
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    plan: (plan, path) => {
      if (path === undefined) everywhere = plan
      else plans.set(path, plan)
    },
    received: (count) => until(() => requests.length >= count),
    idle: () => until(() => sockets.size === 0),
    down,
    up: async () => void (await listen(port)),
    [Symbol.asyncDispose]: down
  }
}

// Receivers break connections on purpose, so errors of a connection are ignored.
const ignore = () => {}
