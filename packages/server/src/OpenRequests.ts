import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { LinkedList } from "@frontdesk/core/values/LinkedList"

/** A request with its response. */
export interface Exchange {
  readonly response: ServerResponse
  /** The exchange before it on the same connection, if that was not over when this one began. */
  readonly before: Exchange | undefined
}

/** The exchanges of a server. */
export interface Exchanges {
  /** Returns the unfinished exchanges of a connection, in the order of their requests. */
  readonly openOn: (connection: Duplex) => ReadonlyArray<ServerResponse>
  /** Returns the responses that are not closed, in the order of their requests. */
  readonly open: () => ReadonlyArray<ServerResponse>
}

/** Returns whether the whole request has arrived and its whole answer has been sent. */
const isOver = ({ req, writableFinished }: ServerResponse): boolean => req.complete && writableFinished

/** Records the exchanges of a server from now on. */
export const watch = (server: Server): Exchanges => {
  const open = new LinkedList<ServerResponse>()
  const latest = new WeakMap<Duplex, Exchange>()
  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const before = latest.get(socket)
    latest.set(socket, { response, before: before === undefined || isOver(before.response) ? undefined : before })
    const entry = open.add(response)
    response.on("close", () => open.remove(entry))
  }
  server.prependListener("request", begin)
  server.prependListener("checkContinue", begin)
  return {
    open: () => open.entries().map(({ value }) => value),
    openOn: (connection) => {
      const found: Array<ServerResponse> = []
      // Answers are sent in the order of the requests, so whatever came before an exchange that is over is over too.
      for (
        let exchange = latest.get(connection);
        exchange !== undefined && !isOver(exchange.response);
        exchange = exchange.before
      )
        found.unshift(exchange.response)
      return found
    }
  }
}
