import { setPriority } from "node:os"
import process from "node:process"
import { Pool } from "undici"
import type { AttackRequest, Kind } from "./Kind.ts"

/** The target of an attack, and its kind. */
export interface Attack {
  readonly url: string
  /** The keys of the attacker's account, which its requests use in turn. */
  readonly keys: ReadonlyArray<string>
  readonly kind: Kind
  readonly connections: number
  /** Whether to send the requests of the preparation first. */
  readonly prepares: boolean
}

/** A command for the process. It answers each command with {@link AnswersByStatus}. */
export type Command = Attack | "stop"

/** The answers to an attack that have the same status. */
export interface Answered {
  readonly perSecond: number
  /** The average size of their bodies, in bytes. */
  readonly bytes: number
}

/** The answers to an attack, by status. Requests without an answer are under `failed`. */
export type AnswersByStatus = Readonly<Record<string, Answered>>

/** An answer that was read to its end. */
interface Answer {
  readonly status: string
  readonly bytes: number
}

// A low priority, because this process shares the cores with the server that is measured.
setPriority(10)

const start = async ({ connections, keys, kind, prepares, url }: Attack): Promise<() => Promise<AnswersByStatus>> => {
  const pool = new Pool(url, { connections, headersTimeout: 60_000 })
  const { preparation, requests } = kind
  let sent = 0
  const send = ({ body, isAnonymous = false, method, path }: AttackRequest): Promise<Answer> =>
    pool
      .request({
        method,
        path,
        ...(body !== undefined && { body }),
        headers: {
          "accept-encoding": "gzip",
          "content-type": "application/json",
          ...(!isAnonymous && { authorization: `Bearer ${keys[sent % keys.length]}` })
        }
      })
      .then(async (answer) => {
        let bytes = 0
        for await (const chunk of answer.body) bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
        return { status: String(answer.statusCode), bytes }
      })
      .catch(() => ({ status: "failed", bytes: 0 }))
  if (prepares) for (const request of preparation) await send(request)

  const sums = new Map<string, { count: number; bytes: number }>()
  const startedAt = performance.now()
  const ending = new AbortController()
  const connection = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const request = requests[sent++ % requests.length]
      if (request === undefined) return
      const { bytes, status } = await send(request)
      // A request that was aborted at the end of the attack does not count.
      if (ending.signal.aborted) return
      const sum = sums.get(status) ?? { count: 0, bytes: 0 }
      sums.set(status, { count: sum.count + 1, bytes: sum.bytes + bytes })
    }
  }
  for (let count = 0; count < connections; count++) void connection()
  return async () => {
    ending.abort()
    const seconds = (performance.now() - startedAt) / 1_000
    await pool.destroy()
    return Object.fromEntries(
      [...sums].map(([status, { bytes, count }]) => [status, { perSecond: count / seconds, bytes: bytes / count }])
    )
  }
}

let stop: (() => Promise<AnswersByStatus>) | undefined

const handle = async (command: Command): Promise<AnswersByStatus> => {
  if (command === "stop") return (await stop?.()) ?? {}
  stop = await start(command)
  return {}
}

process.on("message", (command: Command) => void handle(command).then((answers) => process.send?.(answers)))
process.once("disconnect", () => process.exit())
