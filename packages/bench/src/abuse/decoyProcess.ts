import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import process from "node:process"
import type { AnswersByStatus } from "./attackProcess.ts"

/** The server that the decoy imitates. */
export interface Imitation {
  /** The answers of the server to the attack. */
  readonly answered: AnswersByStatus
  /** The share of one core that the attack used in the server and its database: 0 to 1. */
  readonly cpuShare: number
}

/** The interval at which due answers are sent, in milliseconds. */
const interval = 5

/** How long an answer stays due while no request waits for it, in seconds. */
const maxBehind = 0.1

let answered: ReadonlyArray<{ readonly status: number; readonly perSecond: number; readonly body: Buffer }> = []
let cpuShare = 0
let sent: Array<number> = []
let begunAt = 0
let cpuBegunAt = 0

const waiting: Array<ServerResponse> = []

const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

const imitate = (imitation: Imitation): void => {
  answered = Object.entries(imitation.answered)
    .filter(([status]) => /^\d+$/.test(status))
    .map(([status, { bytes, perSecond }]) => ({
      status: Number(status),
      perSecond,
      body: Buffer.alloc(Math.round(bytes), "x")
    }))
  cpuShare = imitation.cpuShare
  sent = answered.map(() => 0)
  begunAt = performance.now()
  cpuBegunAt = cpuSeconds()
}

/** Sends the due answers, and then computes until this process has used its share of a core. */
const work = (): void => {
  const seconds = (performance.now() - begunAt) / 1_000
  for (const [index, { body, perSecond, status }] of answered.entries()) {
    const due = perSecond * seconds
    let count = Math.max(sent[index] ?? 0, due - perSecond * maxBehind)
    while (count + 1 <= due) {
      const response = waiting.shift()
      if (response === undefined) break
      response.writeHead(status, { "content-length": body.length }).end(body)
      count += 1
    }
    sent[index] = count
  }
  const end = performance.now() + interval
  while (performance.now() < end && cpuSeconds() - cpuBegunAt < cpuShare * seconds);
}

const server = createServer((request, response) => {
  request.resume()
  request.once("end", () => waiting.push(response))
  response.once("close", () => {
    const index = waiting.indexOf(response)
    if (index !== -1) waiting.splice(index, 1)
  })
})
server.listen(0, "127.0.0.1")
await once(server, "listening")
setInterval(work, interval)

process.on("message", (imitation: Imitation) => {
  imitate(imitation)
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "")
})
process.once("disconnect", () => process.exit())
