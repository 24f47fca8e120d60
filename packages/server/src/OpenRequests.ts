import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** The exchanges of a server: each is a request with its response. */
export interface Exchanges {
  /** Returns the unfinished exchanges of a connection, in the order of their requests. */
  readonly openOn: (connection: Duplex) => ReadonlyArray<ServerResponse>
}

/** Returns whether the whole request has arrived and its whole answer has been sent. */
const isOver = ({ req, writableFinished }: ServerResponse): boolean => req.complete && writableFinished

/** Records the exchanges of a server from now on. */
export const watch = (server: Server): Exchanges => {
  const exchanges = new WeakMap<Duplex, ReadonlyArray<ServerResponse>>()
  const openOn = (connection: Duplex): ReadonlyArray<ServerResponse> =>
    (exchanges.get(connection) ?? []).filter((response) => !isOver(response))
  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(socket, [...openOn(socket), response])
  }
  server.prependListener("request", begin)
  server.prependListener("checkContinue", begin)
  return { openOn }
}
