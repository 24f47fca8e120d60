import * as Effect from "effect/Effect"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** Where a session is: what the server is about to answer. */
export type Stage = "greeting" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end"

/** What the server does there: an answer, nothing at all, a connection that is cut, answers without an end, or the usual
 * answer after 700 milliseconds. */
export type Behaviour = `${number}${string}` | "silence" | "cut" | "trickle" | "slow"

/** A mail server that speaks in the clear and does as it is told, whatever is said to it. */
export interface ScriptedServer {
  readonly port: number
  /** How it behaves from now on; where nothing is said it goes along. */
  readonly behave: (script: Partial<Readonly<Record<Stage, Behaviour>>>) => void
  /** The messages it has read to their end, whether or not it said so. */
  readonly messages: ReadonlyArray<string>
  /** How often somebody has connected. */
  readonly connections: () => number
  /** How many are connected now. */
  readonly open: () => number
  /** Ends the connections from its side. */
  readonly hangUp: () => void
}

const goesAlong: Readonly<Record<Stage, string>> = {
  greeting: "220 hello",
  EHLO: "250-hello\r\n250 AUTH PLAIN",
  AUTH: "235 2.7.0 welcome",
  MAIL: "250 2.1.0 ok",
  RCPT: "250 2.1.5 ok",
  DATA: "354 go on",
  end: "250 2.0.0 taken"
}

// A client whose EHLO is refused tries HELO.
const stageOf = (line: string): Stage | undefined =>
  line.startsWith("HELO")
    ? "EHLO"
    : (["EHLO", "AUTH", "MAIL", "RCPT", "DATA"] as const).find((stage) => line.startsWith(stage))

/** The server, until the scope ends. */
export const make = Effect.acquireRelease(
  Effect.callback<ScriptedServer & { readonly close: Effect.Effect<void> }>((resume) => {
    const sockets = new Set<Socket>()
    const messages: Array<string> = []
    let connections = 0
    let script: Partial<Readonly<Record<Stage, Behaviour>>> = {}

    const answer = (socket: Socket, stage: Stage): void => {
      const behaviour = script[stage] ?? goesAlong[stage]
      if (behaviour === "cut") socket.destroy()
      else if (behaviour === "trickle") {
        const timer = setInterval(() => socket.write("250-"), 20)
        socket.once("close", () => clearInterval(timer))
      } else if (behaviour === "slow") setTimeout(() => socket.write(`${goesAlong[stage]}\r\n`), 700)
      else if (behaviour !== "silence") socket.write(`${behaviour}\r\n`)
    }

    const server = createServer((socket) => {
      sockets.add(socket)
      connections += 1
      let received = ""
      let isData = false
      socket.on("close", () => sockets.delete(socket))
      socket.on("error", () => undefined)
      socket.setEncoding("latin1").on("data", (chunk) => {
        received += String(chunk)
        for (;;) {
          const end = received.indexOf(isData ? "\r\n.\r\n" : "\r\n")
          if (end === -1) return
          const text = received.slice(0, end)
          received = received.slice(end + (isData ? 5 : 2))
          const stage = isData ? "end" : stageOf(text)
          if (isData) messages.push(text)
          isData = stage === "DATA" && (script.DATA ?? "354").startsWith("354")
          if (stage !== undefined) answer(socket, stage)
          else socket.write(text === "QUIT" ? "221 bye\r\n" : "250 ok\r\n")
        }
      })
      answer(socket, "greeting")
    })
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          port: portOf(server.address()),
          behave: (next: typeof script) => {
            script = next
          },
          messages,
          connections: () => connections,
          open: () => sockets.size,
          hangUp: () => sockets.forEach((socket) => socket.end()),
          close: Effect.callback<void>((done) => {
            server.close(() => done(Effect.void))
            sockets.forEach((socket) => socket.destroy())
          })
        })
      )
    )
  }),
  ({ close }) => close
)

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
  return address.port
}
