import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

/** Returns the size of a package as a browser loads it: one minified file, compressed with gzip, in bytes. */
const sizeOf = async (folder: string, name: string): Promise<number> => {
  const input = join(import.meta.dirname, "../..", folder, "src", name)
  const bundle = await rolldown({ input, platform: "browser" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  return gzipSync(output.map((part) => (part.type === "chunk" ? part.code : "")).join("")).length
}

it("@frontdesk/client has less than 10 kB", async () => {
  expect(await sizeOf("client", "index.ts")).toBeLessThan(10_000)
})

it("the receiver of webhooks has less than 2 kB", async () => {
  expect(await sizeOf("webhook-receiver", "WebhookReceiver.ts")).toBeLessThan(2_000)
})
