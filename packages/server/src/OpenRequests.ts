import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** The exchanges of a server, by connection. */
export interface Exchanges {
  /** Returns the exchanges of a connection that are not over, in the order of their requests. */
  readonly openOn: (connection: Duplex) => ReadonlyArray<ServerResponse>
}

/** Whether a request has arrived wholly and been answered wholly. */
const isOver = ({ req, writableFinished }: ServerResponse): boolean => req.complete && writableFinished

/** Watches the exchanges of a server. */
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
