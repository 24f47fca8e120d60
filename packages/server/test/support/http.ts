import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { onTestFinished } from "vitest"

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** A request that a receiver has received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** The body of the answers of a {@link receiver}. */
export const answerText = "answer-of-the-receiver"

/**
 * Starts a receiver that answers the n-th request with the n-th status, and later requests with the last status. The
 * answers have the body {@link answerText}, unless their status is 204. For the status 0 it sends no answer. It closes
 * after the test.
 */
export const receiver = async (
  ...statuses: ReadonlyArray<number>
): Promise<{ readonly url: string; readonly received: ReadonlyArray<Received> }> => {
  const received: Array<Received> = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ path: request.url ?? "", headers: request.headers, body: await buffer(request) })
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 200
    if (status > 0) response.writeHead(status).end(status === 204 ? undefined : answerText)
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${portOf(server.address())}`, received }
}

/** A connection on which a test writes the bytes of requests. */
export interface Raw {
  readonly socket: Socket
  /** Returns the bytes that have arrived so far, as text. */
  readonly answer: () => string
  /** Resolves once the connection is closed. */
  readonly closed: Promise<void>
}

/** Opens a connection to a server, which closes after the test. Rejects when no process listens. */
export const raw = (url: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let answer = ""
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString()
    })
    const closed = new Promise<void>((resolve) => {
      socket.once("close", () => resolve())
    })
    socket.once("error", reject)
    socket.once("connect", () => resolve({ socket, answer: () => answer, closed }))
    onTestFinished(() => {
      socket.destroy()
    })
  })
