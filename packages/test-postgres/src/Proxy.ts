import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy to a PostgreSQL server that can stop responding without closing connections. */
export interface Proxy extends AsyncDisposable {
  /** Returns the URL of a database through the proxy. */
  readonly through: (url: string) => string
  /** Stops forwarding data. Connections stay open, and new ones are accepted but get no answer. */
  readonly hold: () => void
  /** Forwards data again, beginning with what arrived meanwhile. */
  readonly pass: () => void
  /** Stops forwarding data on the connections that listen for notifications. Returns how many there are. */
  readonly stallListeners: () => number
  /** Returns how often a client sent data after the server had answered it, since the last call. */
  readonly roundTrips: () => number
  /** Connects to another server from now on, and closes all connections. */
  readonly lead: (server: string) => void
}

interface Link {
  readonly ends: ReadonlyArray<Socket>
  isListening: boolean
  isStalled: boolean
  isAnswered: boolean
}

/** Opens a proxy to a server. */
export const open = async (server: string): Promise<Proxy> => {
  let target = new URL(server)
  const links = new Set<Link>()
  let isHeld = false
  let roundTrips = 0

  const flow = ({ ends, isStalled }: Link): void => {
    for (const end of ends) {
      if (isHeld || isStalled) end.pause()
      else end.resume()
    }
  }

  const listener = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    const link: Link = { ends: [near, far], isListening: false, isStalled: false, isAnswered: true }
    links.add(link)
    near.on("data", (chunk: Buffer) => {
      link.isListening ||= /\bLISTEN\b/i.test(chunk.toString("latin1"))
      if (link.isAnswered) roundTrips++
      link.isAnswered = false
      far.write(chunk)
    })
    far.on("data", (chunk: Buffer) => {
      link.isAnswered = true
      near.write(chunk)
    })
    for (const [end, other] of [
      [near, far],
      [far, near]
    ] as const) {
      end.on("error", () => other.destroy())
      end.once("end", () => other.end())
      end.once("close", () => {
        other.destroy()
        links.delete(link)
      })
    }
    flow(link)
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", () => resolve()))
  const address = listener.address()
  const own = typeof address === "object" && address !== null ? address.port : 0

  const set = (held: boolean) => () => {
    isHeld = held
    for (const link of links) flow(link)
  }
  return {
    through: (url) => {
      const changed = new URL(url)
      changed.hostname = "127.0.0.1"
      changed.port = String(own)
      return changed.href
    },
    hold: set(true),
    pass: set(false),
    stallListeners: () => {
      const listening = [...links].filter((link) => link.isListening)
      for (const link of listening) {
        link.isStalled = true
        flow(link)
      }
      return listening.length
    },
    roundTrips: () => {
      const count = roundTrips
      roundTrips = 0
      return count
    },
    lead: (server) => {
      target = new URL(server)
      for (const { ends } of links) for (const end of ends) end.destroy()
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve())
        for (const { ends } of links) for (const end of ends) end.destroy()
      })
  }
}
