import * as Effect from "effect/Effect"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** The point of a session that the server answers next. `end` is the end of a message. */
export type Stage = "greeting" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end"

/**
 * What the server does at a stage:
 *
 * - a status and a text: it sends them
 * - `silence`: it sends nothing
 * - `cut`: it closes the connection
 * - `trickle`: it sends the beginning of an answer every 5 milliseconds, without an end
 * - `held`: it sends the usual answer after {@link ScriptedServer.release}
 */
export type Behaviour = `${number}${string}` | "silence" | "cut" | "trickle" | "held"

/** A mail server without TLS whose answers a test scripts. */
export interface ScriptedServer {
  readonly port: number
  /** Sets the behaviour from now on. At any other stage the server sends its usual answer. */
  readonly behave: (script: Partial<Readonly<Record<Stage, Behaviour>>>) => void
  /** The messages that the server has received to their end, whatever it answered. */
  readonly messages: ReadonlyArray<string>
  /** The number of connections so far. */
  readonly connections: () => number
  /** The number of connections that are open now. */
  readonly open: () => number
  /** How often the server has sent a part of an answer as `trickle`. */
  readonly trickles: () => number
  /** Sends the answers that are `held`. */
  readonly release: () => void
  /** Ends all connections. */
  readonly hangUp: () => void
  /** Waits until a session reaches a stage. A stage that was reached before counts. */
  readonly reached: (stage: Stage) => Effect.Effect<void>
  /** Waits until a condition on this server is true. It is evaluated again whenever something happens at the server. */
  readonly until: (condition: () => boolean) => Effect.Effect<void>
}

const usualAnswers: Readonly<Record<Stage, string>> = {
  greeting: "220 hello",
  EHLO: "250-hello\r\n250 AUTH PLAIN",
  AUTH: "235 2.7.0 welcome",
  MAIL: "250 2.1.0 ok",
  RCPT: "250 2.1.5 ok",
  DATA: "354 go on",
  end: "250 2.0.0 taken"
}

// A client whose EHLO is refused sends HELO.
const stageOf = (line: string): Stage | undefined =>
  line.startsWith("HELO")
    ? "EHLO"
    : (["EHLO", "AUTH", "MAIL", "RCPT", "DATA"] as const).find((stage) => line.startsWith(stage))

/** Starts the server. It stops when the scope ends. */
export const make = Effect.acquireRelease(
  Effect.callback<ScriptedServer & { readonly close: Effect.Effect<void> }>((resume) => {
    const sockets = new Set<Socket>()
    const messages: Array<string> = []
    let connections = 0
    let script: Partial<Readonly<Record<Stage, Behaviour>>> = {}
    let trickles = 0
    const reached = new Set<Stage>()
    const held: Array<() => void> = []
    const waiting = new Set<() => void>()
    const changed = () => waiting.forEach((check) => check())

    const answer = (socket: Socket, stage: Stage): void => {
      const behaviour = script[stage] ?? usualAnswers[stage]
      const proceed = () => void socket.write(`${usualAnswers[stage]}\r\n`)
      if (behaviour === "cut") socket.destroy()
      else if (behaviour === "trickle") {
        const timer = setInterval(() => {
          socket.write("250-")
          trickles += 1
          changed()
        }, 5)
        socket.once("close", () => clearInterval(timer))
      } else if (behaviour === "held") held.push(proceed)
      else if (behaviour !== "silence") socket.write(`${behaviour}\r\n`)
      reached.add(stage)
      changed()
    }

    const until = (condition: () => boolean) =>
      Effect.callback<void>((resume) => {
        const check = () => {
          if (!condition()) return
          waiting.delete(check)
          resume(Effect.void)
        }
        waiting.add(check)
        check()
      })

    const server = createServer((socket) => {
      sockets.add(socket)
      connections += 1
      let received = ""
      let isData = false
      socket.on("close", () => {
        sockets.delete(socket)
        changed()
      })
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
          trickles: () => trickles,
          release: () => held.splice(0).forEach((proceed) => proceed()),
          hangUp: () => sockets.forEach((socket) => socket.end()),
          reached: (stage: Stage) => until(() => reached.has(stage)),
          until,
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
