import * as http from "node:http"

/**
 * How a proxy handles requests instead of returning the answers of its target.
 *
 * - a status: it answers with this status and an HTML page, as proxies and load balancers do.
 * - `hang`: it does not answer.
 * - `reset`: it resets the connection.
 * - `garbage`: it answers 200 with an HTML page.
 */
export type Fault = number | "hang" | "reset" | "garbage"

/** A request that a proxy has received. */
export interface Proxied {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: string
}

/** A server on the loopback interface that forwards requests to another one, with faults on demand. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** All received requests, oldest first. A request that is forwarded is added when the target has answered it. */
  readonly requests: ReadonlyArray<Proxied>
  /**
   * Sets the fault of all later requests; null ends it. Requests are forwarded only if `isForwarded` is true, and then
   * the answer is lost.
   *
   * @param isAffected chooses the requests with the fault. Default: all
   */
  readonly fail: (fault: Fault | null, isForwarded?: boolean, isAffected?: (request: Proxied) => boolean) => void
}

/**
 * Opens a proxy before a server, such as the fake of a provider. Disposing of it resets its connections. It needs only
 * Node, neither Effect nor a test runner.
 *
 * @example
 * ```ts
 * await using proxy = await FaultyProxy.open(fake.url)
 * proxy.fail("reset", true)
 * ```
 */
export const open = async (target: string): Promise<FaultyProxy> => {
  const requests: Array<Proxied> = []
  let fault: Fault | null = null
  let isForwarded = false
  let isAffected: (request: Proxied) => boolean = () => true

  const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const proxied = { method: request.method ?? "", path: request.url ?? "/", body: body.toString("utf8") }
    // A request that was received before the fault ends keeps it.
    const present = isAffected(proxied) ? fault : null
    const forwarded = present === null || isForwarded ? forward(target, request, body) : Promise.resolve(undefined)
    const answer = await forwarded.finally(() => requests.push(proxied))
    if (present === "hang") return
    if (present === "reset") return void request.socket.resetAndDestroy()
    if (present !== null) return void response.writeHead(present === "garbage" ? 200 : present, html).end(page)
    response.writeHead(answer?.status ?? 502, { "content-type": answer?.type ?? "text/plain" }).end(answer?.body)
  }

  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    fail: (next, forwards = false, affects = () => true) => {
      fault = next
      isForwarded = forwards
      isAffected = affects
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const html = { "content-type": "text/html" }

const page = "<!doctype html><title>An answer of a proxy</title>"

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** Forwards a request with all its headers, also `host`, so that URLs in the answer lead to the proxy. */
const forward = (target: string, { headers, method, url }: http.IncomingMessage, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { headers, agent: false, ...(method === undefined ? {} : { method }) }
    const outgoing = http.request(new URL(url ?? "/", target), options, (incoming) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("error", reject)
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 502,
          type: incoming.headers["content-type"] ?? "text/plain",
          body: Buffer.concat(chunks)
        })
      )
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })
