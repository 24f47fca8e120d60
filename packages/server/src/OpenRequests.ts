import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { LinkedList } from "@frontdesk/core/values/LinkedList"

/** The exchanges of a server: each is a request with its response. */
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
  const byConnection = new WeakMap<Duplex, Array<ServerResponse>>()

  /** Returns the unfinished exchanges of a connection. They end in the order of their requests. */
  const unfinished = (connection: Duplex): Array<ServerResponse> => {
    const known = byConnection.get(connection)
    const exchanges = known ?? []
    if (known === undefined) byConnection.set(connection, exchanges)
    for (let [first] = exchanges; first !== undefined && isOver(first); [first] = exchanges) exchanges.shift()
    return exchanges
  }

  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    unfinished(socket).push(response)
    const entry = open.add(response)
    response.on("close", () => open.remove(entry))
  }
  server.prependListener("request", begin)
  server.prependListener("checkContinue", begin)
  return {
    open: () => open.entries().map(({ value }) => value),
    openOn: (connection) => [...unfinished(connection)]
  }
}
