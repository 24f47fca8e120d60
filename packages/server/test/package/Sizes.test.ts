import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

/** Returns the size of a module as a browser loads it: one minified file, compressed with gzip, in bytes. */
const sizeOf = async (module: string): Promise<number> => {
  const bundle = await rolldown({ input: join(import.meta.dirname, "../../..", module), platform: "browser" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  return gzipSync(output.map((part) => (part.type === "chunk" ? part.code : "")).join("")).length
}

it.each([
  ["client/src/index.ts", 10_000],
  ["webhook-receiver/src/WebhookReceiver.ts", 2_000],
  ["core/src/availability/Slots.ts", 12_000],
  ["core/src/contact/ContactMerge.ts", 10_000],
  ["core/src/variable/VariableValue.ts", 10_000]
])("a bundle of %s has less than %i bytes", async (module, maxBytes) => {
  expect(await sizeOf(module)).toBeLessThan(maxBytes)
})
