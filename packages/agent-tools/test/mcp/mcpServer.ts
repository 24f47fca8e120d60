import { createServer, type IncomingMessage } from "node:http"
import { McpEndpoint, type Toolbox } from "@frontdesk/agent-tools"
import * as Effect from "effect/Effect"
import { toolboxWith } from "../runners.ts"

/** A request that a server has received, and the status of its response. */
interface Exchange {
  readonly server: number
  readonly method: string
  readonly hasSession: boolean
  readonly status: number
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk)
  return text
}

/**
 * Starts two servers on `node:http` that share nothing, and returns a `fetch` that sends each request to the next of them, as
 * a proxy without sticky sessions does.
 */
export const startServers = async (toolboxOf: () => Toolbox.Toolbox = toolboxWith) => {
  const exchanges: Array<Exchange> = []
  const start = async (server: number) => {
    const handle = McpEndpoint.handle({ name: "frontdesk", version: "1.2.3", instructions: "Call get_context first." })
    const http = createServer((request, response) => {
      const respond = async () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(", ") : value
          ])
        )
        const method = request.method ?? ""
        const body = await textOf(request)
        const answer = await Effect.runPromise(handle({ method, headers, body }, Effect.sync(toolboxOf)))
        exchanges.push({ server, method, hasSession: "mcp-session-id" in headers, status: answer.status })
        response.writeHead(answer.status, answer.headers).end(answer.body)
      }
      respond().catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => {
      http.listen(0, "127.0.0.1", resolve)
    })
    const address = http.address()
    if (address === null || typeof address === "string") throw new Error("the server has no port")
    return { http, url: new URL(`http://127.0.0.1:${address.port}/mcp`) }
  }
  const servers = await Promise.all([start(0), start(1)])
  const [first] = servers
  if (first === undefined) throw new Error("no server was started")
  let next = 0
  return {
    exchanges,
    url: first.url,
    /** Sends each request to the next server. */
    fetch: (_: string | URL, init?: RequestInit): Promise<Response> => {
      const { url } = servers[next % servers.length] ?? first
      next += 1
      return fetch(url, init)
    },
    stop: () =>
      Promise.all(
        servers.map(
          ({ http }) =>
            new Promise<void>((resolve) => {
              http.close(() => resolve())
              http.closeAllConnections()
            })
        )
      )
  }
}
