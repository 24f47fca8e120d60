import { Agent } from "undici"

/** The request that is sent to every URL. */
export interface Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * Posts a request `count` times to the URLs in turn, with `concurrency` requests at once, and reads every answer. It
 * does nothing else. Fails when an answer is not 200.
 */
export const run = async (
  urls: ReadonlyArray<string>,
  { body, headers }: Request,
  count: number,
  concurrency: number
): Promise<void> => {
  const agent = new Agent()
  const targets = urls.map((url) => new URL(url))
  let sent = 0
  const loop = async (): Promise<void> => {
    while (sent < count) {
      const target = targets[sent++ % targets.length]
      if (target === undefined) return
      const { origin, pathname: path } = target
      const answer = await agent.request({ origin, path, method: "POST", headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  await agent.close()
}
