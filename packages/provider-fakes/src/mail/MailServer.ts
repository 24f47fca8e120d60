import { Buffer } from "node:buffer"
import { once } from "node:events"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** Options of the mail server, which replace its defaults. */
export type Options = SMTPServerOptions

/** A message that arrived: its envelope and its bytes. */
export interface Arrival {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly isEncrypted: boolean
  readonly user: unknown
  /** The message in latin1: one character for each byte. */
  readonly bytes: string
}

/** A mail server on a port of the loopback interface. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  /** The messages that have arrived, oldest first. */
  readonly arrivals: ReadonlyArray<Arrival>
}

/**
 * Opens a mail server. It accepts every message from a client that has logged in. The options decide who can log in, and
 * can allow mail without a login.
 */
export const open = async (options: Options): Promise<MailServer> => {
  const arrivals: Array<Arrival> = []
  const server = new SMTPServer({
    closeTimeout: 0,
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        arrivals.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: session.user,
          bytes: Buffer.concat(chunks).toString("latin1")
        })
        done()
      })
    },
    ...options
  })
  // A client that rejects the certificate closes the connection, which is an error event of the server.
  server.on("error", () => undefined)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.server.address()
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
  return {
    port: address.port,
    arrivals,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
