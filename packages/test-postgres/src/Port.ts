import * as Net from "node:net"

/** A port of this machine that nobody listens on. */
export const free = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = Net.createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))
      )
    })
  })
