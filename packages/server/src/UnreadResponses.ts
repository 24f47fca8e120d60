import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** What callers that do not read their answers may hold. */
export interface Limits {
  /** How long a caller may take to read an answer, in milliseconds; a minute unless given. */
  readonly maxMillis?: number
  /** The most unread bytes of all connections together; 64 MiB unless given. */
  readonly maxBytes?: number
}

/** A connection with fewer unread bytes is closed only when closing all others was not enough. */
const fewBytes = 65_536

/**
 * Closes a connection whose caller has not read an answer a minute after it was written. Without it a caller that never
 * reads would hold the answer, the connection and all that waits behind it for ever.
 *
 * Closes connections also while the unread bytes of all connections together are too many, the one with the oldest request
 * first: a caller that reads what it asked for has newer ones. An answer counts until the kernel has taken all of it.
 */
export const limit = (server: Server, { maxBytes = 67_108_864, maxMillis = 60_000 }: Limits = {}): void => {
  // The oldest request is first.
  const open = new Map<ServerResponse, Socket>()

  const unread = (): Map<Socket, number> => {
    const bytes = new Map<Socket, number>()
    for (const [response, socket] of open) {
      // An answer that waits for others on its connection keeps its bytes itself: it has no connection yet.
      const waiting = response.socket === null ? response.writableLength : 0
      const all = (bytes.get(socket) ?? socket.writableLength) + waiting
      if (all > 0) bytes.set(socket, all)
    }
    return bytes
  }

  const closeOldest = (): void => {
    const bytes = unread()
    let sum = bytes.values().reduce((total, each) => total + each, 0)
    for (const minimum of [fewBytes, 0]) {
      for (const [socket, each] of bytes) {
        if (sum <= maxBytes) return
        if (each < minimum) continue
        socket.destroy()
        bytes.delete(socket)
        sum -= each
      }
    }
  }

  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    open.set(response, socket)
    response.once("close", () => open.delete(response))
    // Emitted when all bytes of this answer are with its connection, before the kernel has taken them.
    response.once("prefinish", () => {
      const cutOff = setTimeout(() => socket.destroy(), maxMillis).unref()
      response.once("close", () => clearTimeout(cutOff))
      if (socket.writableLength > 0) closeOldest()
    })
  }
  server.prependListener("request", watch)
  server.prependListener("checkContinue", watch)
}
