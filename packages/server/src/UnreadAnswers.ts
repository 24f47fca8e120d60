import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** How long a caller may take to read an answer, in milliseconds. */
const maxReading = 60_000

/**
 * Closes a connection whose caller has not read an answer a minute after it was written. Without it a caller that never
 * reads would hold the answer, the connection and all that waits behind it for ever.
 */
export const limit = (server: Server, millis: number = maxReading): void => {
  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    // Emitted when all bytes of this answer are with its connection, before the kernel has taken them.
    response.once("prefinish", () => {
      const cutOff = setTimeout(() => socket.destroy(), millis).unref()
      response.once("close", () => clearTimeout(cutOff))
    })
  }
  server.prependListener("request", watch)
  server.prependListener("checkContinue", watch)
}
