import { expect, it } from "vitest"
import { nodeHandler } from "../../src/mount/nodeHandler.ts"
import { withServer } from "../withServer.ts"

const chunk = new Uint8Array(1_048_576)

/** Serves an answer of this many chunks, and runs a test with its URL. */
const withAnswer = async (
  chunks: number,
  onCancel: () => void,
  test: (url: string) => Promise<void>
): Promise<void> => {
  let sent = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    sent += 1
    if (sent > chunks) controller.close()
    else controller.enqueue(chunk)
  }
  const respond = () => Promise.resolve(new Response(new ReadableStream({ pull, cancel: onCancel })))
  await withServer(nodeHandler(respond, ""), test)
}

it("an answer of many chunks is sent without a warning of Node", async () => {
  const warnings: Array<Error> = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on("warning", onWarning)
  await withAnswer(
    40,
    () => {},
    async (url) => {
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(40 * chunk.length)
    }
  )
  process.off("warning", onWarning)
  expect(warnings).toEqual([])
})

it("an answer ends when its client has gone", async () => {
  const cancelled = Promise.withResolvers<void>()
  await withAnswer(Infinity, cancelled.resolve, async (url) => {
    const response = await fetch(url)
    await response.body?.cancel()
    await cancelled.promise
  })
})
