import { randomInt } from "node:crypto"
import { createServer } from "node:net"

// Systems choose the ports of outgoing connections, and of servers that name none, from 32,768 upwards.
const [lowest, highest] = [20_000, 31_999]

/**
 * Returns a port of the loopback interface on which no program listens. A server that starts later finds it free, because
 * systems choose no port of its range by themselves.
 *
 * @param from where the search starts: the same number always starts at the same port. Default: a random number
 */
export const freePort = async (from: number = randomInt(highest - lowest)): Promise<number> => {
  for (let port = lowest + (from % (highest - lowest)); ; port = port >= highest ? lowest : port + 1) {
    const isFree = await new Promise<boolean>((resolve, reject) => {
      const server = createServer()
      server.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "EADDRINUSE") resolve(false)
        else reject(error)
      })
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
