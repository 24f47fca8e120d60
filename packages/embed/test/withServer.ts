import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"

/** Serves requests of a test, which receives the URL of the server. */
export const withServer = async (listener: RequestListener, test: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  try {
    await test(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
