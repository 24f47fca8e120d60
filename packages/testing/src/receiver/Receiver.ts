import * as net from "node:net"
import * as tls from "node:tls"
import { answer } from "./Behaviour.ts"
import type { Behaviour, Plan } from "./Behaviour.ts"
import { read } from "./Reading.ts"
import type { Received } from "./Reading.ts"

/** How a receiver is opened. */
export interface Options {
  /** What it does with requests whose path has no plan of its own; answers 200 unless said. */
  readonly plan?: Plan
  /** Speaks TLS with this certificate and its key, both in PEM form. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** A server on a port of the loopback interface that treats requests as it is told, and remembers them. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1` with the port, or `https:`, and no path. */
  readonly url: string
  /** What it acted upon, oldest first. */
  readonly requests: ReadonlyArray<Received>
  /** How many connections were made. */
  readonly connections: () => number
  /** How many connections are open. */
  readonly open: () => number
  /** What it does from now on with requests to a path (without query), or to all paths without one of their own. */
  readonly plan: (plan: Plan, path?: string) => void
  /** Waits until it has acted upon so many requests. */
  readonly received: (count: number) => Promise<void>
  /** Waits until no connection is open. */
  readonly idle: () => Promise<void>
  /** Resets all connections and refuses new ones. */
  readonly down: () => Promise<void>
  /** Listens again, on the same port. */
  readonly up: () => Promise<void>
}

/**
 * Opens a receiver. It is down for good once it is disposed of, or after its `down`.
 *
 * It needs nothing but Node: no Effect, no test runner.
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

// Connections that break are what receivers are for: an error of one is no news.
const ignore = () => {}
