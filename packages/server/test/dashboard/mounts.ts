import { files } from "@frontdesk/dashboard"
import { Frontdesk } from "@frontdesk/embed"
import { once } from "node:events"
import { createServer, request, type RequestListener } from "node:http"
import { provisionedFolder, serve } from "../support/inProcess.ts"
import { document } from "./accounts.ts"

/** A dashboard that a browser can reach, with the accounts of {@link document}. */
export interface Mount {
  /** The URL of the API for programs, without `/api/v1`. */
  readonly api: string
  /** The URL of the dashboard. */
  readonly dashboard: string
  readonly close: () => Promise<unknown>
}

/** Listens on a free port, and returns the origin. */
const listen = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}

/** Settings with which a browser of tests may ask as often as it likes. */
export const settings = { FRONTDESK_RATE_LIMIT: "off", FRONTDESK_SIMULATED_CALL_PACE: "0" }

/** The server of the command line, which has the dashboard at `/dashboard`. */
export const openServer = async (): Promise<Mount> => {
  const server = await serve(await provisionedFolder(document), { settings })
  return { api: server.url, dashboard: `${server.url}/dashboard`, close: () => server.stop() }
}

/** The same server behind a proxy that takes a prefix off the path. */
const openBehindProxy = async (): Promise<Mount> => {
  const prefix = "/front/office"
  let target = new URL("http://127.0.0.1")
  const proxy = await listen((incoming, outgoing) => {
    const { headers, method, url = "" } = incoming
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end("not of the proxy")
    const { hostname, port } = target
    const asked = request({ hostname, port, method, headers, path: url.slice(prefix.length) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on("error", () => outgoing.destroy())
    incoming.pipe(asked)
  })
  const api = `${proxy.origin}${prefix}`
  const server = await serve(await provisionedFolder(document), {
    settings: { ...settings, FRONTDESK_PUBLIC_URL: api }
  })
  target = new URL(server.url)
  return {
    api,
    dashboard: `${api}/dashboard`,
    close: async () => {
      await proxy.close()
      await server.stop()
    }
  }
}

/** A program that serves Frontdesk below a path of its own. */
const openInProgram = async (): Promise<Mount> => {
  let handle: RequestListener = (_, response) => response.writeHead(503).end()
  const program = await listen((incoming, outgoing) => handle(incoming, outgoing))
  const dashboard = `${program.origin}/voice/desk`
  const frontdesk = await Frontdesk.open({
    storage: { memory: true },
    dashboardUrl: dashboard,
    callProvider: { simulated: { pace: 0 } },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  })
  await frontdesk.provision(document)
  const answer = frontdesk.node({ basePath: "/voice", dashboard: { path: "/desk", files: files() } })
  handle = (incoming, outgoing) => answer(incoming, outgoing)
  return {
    api: `${program.origin}/voice`,
    dashboard,
    close: async () => {
      await program.close()
      await frontdesk.close()
    }
  }
}

/** The ways in which a browser reaches a dashboard. Each opens one. */
export const mounts = [
  { name: "/dashboard", open: openServer },
  { name: "/voice/desk in a program", open: openInProgram },
  { name: "/front/office/dashboard behind a proxy", open: openBehindProxy }
] as const
