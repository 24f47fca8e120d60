import process from "node:process"
import { Pool } from "undici"
import type { AttackRequest } from "./Kind.ts"
import { kinds } from "./Kind.ts"

/** Whom to attack, and how. */
export interface Attack {
  readonly url: string
  readonly key: string
  /** The name of the kind. */
  readonly kind: string
  readonly connections: number
}

/** How many requests a second were answered, by status. */
export interface Told {
  readonly perSecond: Readonly<Record<string, number>>
}

const start = async ({ connections, key, kind, url }: Attack): Promise<() => Told> => {
  const pool = new Pool(url, { connections, headersTimeout: 60_000 })
  const { preparation, requests } = kinds.find(({ name }) => name === kind) ?? { preparation: [], requests: [] }
  const send = ({ body, isAnonymous = false, method, path }: AttackRequest): Promise<string> =>
    pool
      .request({
        method,
        path,
        ...(body !== undefined && { body }),
        headers: {
          "accept-encoding": "gzip",
          "content-type": "application/json",
          ...(!isAnonymous && { authorization: `Bearer ${key}` })
        }
      })
      .then(
        async (answer) => {
          await answer.body.dump({ limit: 100_000_000 })
          return String(answer.statusCode)
        },
        () => "failed"
      )
  for (const request of preparation) await send(request)

  const counts: Record<string, number> = {}
  const startedAt = performance.now()
  const ending = new AbortController()
  let sent = 0
  const connection = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const request = requests[sent++ % requests.length]
      if (request === undefined) return
      const status = await send(request)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  for (let count = 0; count < connections; count++) void connection()
  return () => {
    ending.abort()
    const seconds = (performance.now() - startedAt) / 1_000
    return { perSecond: Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, count / seconds])) }
  }
}

let attack: Promise<() => Told> | undefined

process.on("message", (message: Attack | "stop") => {
  if (message === "stop") void attack?.then((stop) => process.send?.(stop()))
  else {
    attack = start(message)
    void attack.then(() => process.send?.("started"))
  }
})
process.once("disconnect", () => process.exit())
