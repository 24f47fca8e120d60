import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"

/** A program that serves HTTP. */
export interface Served {
  /** The URL without a path. */
  readonly url: string
  readonly close: () => Promise<unknown>
}

/** Serves requests at a port of the loopback interface. */
export const listen = async (listener: RequestListener): Promise<Served> => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}

/** Serves requests of a test, which receives the URL of the server. */
export const withServer = async (listener: RequestListener, test: (url: string) => Promise<void>): Promise<void> => {
  const { close, url } = await listen(listener)
  try {
    await test(`${url}/`)
  } finally {
    await close()
  }
}
