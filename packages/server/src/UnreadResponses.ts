import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Exchanges } from "./OpenRequests.ts"

/** The limits for answers that clients do not read. */
export interface Limits {
  /** How long a client may take to read an answer, in milliseconds. Default: 60,000. */
  readonly maxMillis?: number
  /** The maximum of unread bytes of all connections together. Default: 64 MiB. */
  readonly maxBytes?: number
}

/** The number of sweeps within the time in which an answer must be read. */
const sweepsUntilLate = 12

/** Connections with fewer unread bytes than this are closed only if closing all other ones was not enough. */
const smallSize = 65_536

/**
 * Closes connections whose client does not read its answers.
 *
 * - A connection is closed when an answer has not been read completely within `maxMillis` after it was written, or up to
 *   a twelfth later. Otherwise a client that never reads would occupy memory and a connection for ever.
 * - Connections are closed while all unread bytes together exceed `maxBytes`. The connection with the oldest open request
 *   is closed first, because the requests of clients that read are newer. Connections with few unread bytes come last.
 *
 * The bytes of an answer count as unread until the kernel has accepted all of them.
 */
export const limit = (
  server: Server,
  { open }: Pick<Exchanges, "open">,
  { maxBytes = 67_108_864, maxMillis = 60_000 }: Limits = {}
): void => {
  const unread = (): Map<Socket, number> => {
    const bytes = new Map<Socket, number>()
    for (const { req, socket, writableLength } of open()) {
      // With pipelining an answer waits for earlier ones. It buffers its bytes itself until it is assigned the connection.
      const waiting = socket === null ? writableLength : 0
      const all = (bytes.get(req.socket) ?? req.socket.writableLength) + waiting
      if (all > 0) bytes.set(req.socket, all)
    }
    return bytes
  }

  /** Closes connections until the unread bytes are within the limit. */
  const closeOldest = (): void => {
    const bytes = unread()
    let sum = bytes.values().reduce((total, each) => total + each, 0)
    for (const minimum of [smallSize, 0]) {
      for (const [socket, each] of bytes) {
        if (sum <= maxBytes) return
        if (each < minimum) continue
        socket.destroy()
        bytes.delete(socket)
        sum -= each
      }
    }
  }

  /** The answers that were written and not read completely at the last sweep, with the number of sweeps since. */
  let late = new Map<ServerResponse, number>()
  // A sweep and not a timer for each answer, because nearly every answer is read at once.
  const sweep = setInterval(() => {
    const before = late
    late = new Map()
    for (const response of open()) {
      // An answer without a socket waits for the earlier ones of its connection.
      if (!response.writableEnded || response.socket === null) continue
      const sweeps = (before.get(response) ?? 0) + 1
      if (sweeps > sweepsUntilLate) response.req.socket.destroy()
      else late.set(response, sweeps)
    }
  }, maxMillis / sweepsUntilLate).unref()
  server.once("close", () => clearInterval(sweep))

  function limitUnread(this: ServerResponse): void {
    if (this.req.socket.writableLength > 0) closeOldest()
  }
  const watch = (_request: IncomingMessage, response: ServerResponse): void => {
    // Emitted when the connection has all bytes of this answer in its buffer, before the kernel has accepted them.
    response.on("prefinish", limitUnread)
  }
  server.prependListener("request", watch)
  server.prependListener("checkContinue", watch)
}
