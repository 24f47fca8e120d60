import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, createServer as createTcpServer, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { onTestFinished } from "vitest"

const portOf = (address: ReturnType<ReturnType<typeof createTcpServer>["address"]>): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** A port that nobody listens on just now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createTcpServer()
    server.listen(0, "127.0.0.1", () => {
      const port = portOf(server.address())
      server.close(() => resolve(port))
    })
  })

/** A request as a receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** Someone who takes requests, and answers the n-th with the n-th status, later ones with the last; 0: not at all. */
export const receiver = async (
  ...statuses: ReadonlyArray<number>
): Promise<{ readonly url: string; readonly received: ReadonlyArray<Received> }> => {
  const received: Array<Received> = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ path: request.url ?? "", headers: request.headers, body: await buffer(request) })
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 200
    if (status > 0) response.writeHead(status).end()
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

/** A connection on which a request is written by hand. */
export interface Raw {
  readonly socket: Socket
  /** What has come back so far. */
  readonly answer: () => string
  /** Waits until the other side has closed the connection. */
  readonly closed: Promise<void>
}

/** Opens a connection to a server; rejects when nobody listens. */
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
