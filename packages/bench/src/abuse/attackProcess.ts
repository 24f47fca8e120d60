import { setPriority } from "node:os"
import process from "node:process"
import { Pool } from "undici"
import type { AttackRequest } from "./Kind.ts"
import { kinds } from "./Kind.ts"

/** Whom to attack, and how. */
export interface Attack {
  readonly url: string
  /** The keys of the attacker's account, which its requests use in turn. */
  readonly keys: ReadonlyArray<string>
  /** The name of the kind. */
  readonly kind: string
  readonly connections: number
  /** Whether to send first what the attack needs. */
  readonly prepares: boolean
}

/** What the process is told to do. It answers each command with a {@link Told}. */
export type Command = Attack | "stop"

/** What an attack was answered with one status. */
export interface Answered {
  readonly perSecond: number
  /** How many bytes the body of such an answer has on average. */
  readonly bytes: number
}

/** What an attack was answered, by status. */
export type Told = Readonly<Record<string, Answered>>

/** An answer that was read to its end. */
interface Answer {
  readonly status: string
  readonly bytes: number
}

// It shares the cores with the server, and what is measured is the server.
setPriority(10)

const start = async ({ connections, keys, kind, prepares, url }: Attack): Promise<() => Promise<Told>> => {
  const pool = new Pool(url, { connections, headersTimeout: 60_000 })
  const { preparation, requests } = kinds.find(({ name }) => name === kind) ?? { preparation: [], requests: [] }
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
      // What is under way when the attack ends is cut off.
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

let stop: (() => Promise<Told>) | undefined

const obey = async (command: Command): Promise<Told> => {
  if (command === "stop") return (await stop?.()) ?? {}
  stop = await start(command)
  return {}
}

process.on("message", (command: Command) => void obey(command).then((told) => process.send?.(told)))
process.once("disconnect", () => process.exit())
