import { connect } from "node:net"
import process from "node:process"

/** A round of requests. Each connection sends the next request after the answer to the last one. */
export interface Round {
  readonly port: number
  readonly connections: number
  readonly millis: number
  /** The requests as the bytes that are sent, in turn. */
  readonly requests: ReadonlyArray<string>
  readonly expectedStatus: number
  /** A text that every answer contains. Default: none. */
  readonly expectedText?: string
  /** Whether each request is sent once. Then the round ends after the last answer, whatever its time. Default: false. */
  readonly isOnce?: boolean
}

/** The result of a round. */
export interface Done {
  readonly answers: number
  readonly seconds: number
  /** The time from each request to the end of its answer, in milliseconds. */
  readonly latencies: ReadonlyArray<number>
  /** The first unexpected answer; null when there was none. */
  readonly wrong: string | null
}

const lengthForm = /\r\ncontent-length: (\d+)\r\n/i

/** Returns the length of the answer at the start of a text; undefined until its head is complete. */
const answerLength = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n")
  return head === -1 ? undefined : head + 4 + Number(lengthForm.exec(text.slice(0, head + 2))?.[1])
}

const run = ({
  connections,
  expectedStatus,
  expectedText = "",
  isOnce = false,
  millis,
  port,
  requests
}: Round): Promise<Done> =>
  new Promise((resolve, reject) => {
    const messages = requests.map((request) => Buffer.from(request))
    const startedAt = performance.now()
    const endsAt = startedAt + millis
    const statusLine = `HTTP/1.1 ${expectedStatus}`
    let sent = 0
    const latencies: Array<number> = []
    let open = connections
    let wrong: string | null = null

    const begin = (): void => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      let pending = ""
      let sentAt = 0
      const send = (): void => {
        sentAt = performance.now()
        socket.write(messages[sent++ % messages.length] ?? "")
      }
      socket.setEncoding("latin1")
      socket.once("connect", send)
      socket.once("error", reject)
      socket.on("data", (chunk: string) => {
        pending = pending === "" ? chunk : pending + chunk
        const length = answerLength(pending)
        if (length === undefined || pending.length < length) return
        if (!pending.startsWith(statusLine) || pending.length > length || !pending.includes(expectedText)) {
          wrong ??= pending.slice(0, 2_000)
        }
        pending = ""
        const now = performance.now()
        latencies.push(now - sentAt)
        const hasNext = isOnce ? sent < messages.length : now < endsAt
        if (hasNext && wrong === null) return send()
        socket.destroy()
        open -= 1
        if (open > 0) return
        resolve({ answers: latencies.length, seconds: (now - startedAt) / 1_000, latencies, wrong })
      })
    }
    for (let connection = 0; connection < connections; connection++) begin()
  })

const report = async (round: Round): Promise<void> => {
  const done = await run(round)
  process.send?.(done)
}

process.on("message", (round: Round) => void report(round))
process.once("disconnect", () => process.exit())
