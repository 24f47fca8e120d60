import { Agent } from "undici"

/** One request as it goes to every receiver. */
export interface Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Posts a request so many times to the URLs in turn, `concurrency` at once, and reads every answer; nothing else. */
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
