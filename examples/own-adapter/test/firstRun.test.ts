import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const config = fileURLToPath(new URL("firstRun/vitest.config.ts", import.meta.url))
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const page = new URL("../../../docs/adapters.md", import.meta.url)

it("the suite reports an adapter that does nothing as docs/adapters.md shows", { timeout: 60_000 }, async () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, "run", "--config", config, "--reporter", "verbose"],
    // NO_COLOR overrides every other setting for colors.
    { env: { ...process.env, NO_COLOR: "1" }, encoding: "utf8" }
  )
  expect(status).toBe(1)
  const results = stdout
    .split("\n")
    .map((line) => /^ *([✓×↓]) EmptyMailer\.ts > (.*?)(?: \d+ms)?$/.exec(line))
    .flatMap((match) => (match === null ? [] : [`${match[1]} ${match[2]}`]))
  const shown = /^```text\n([✓×↓] our mail service: [^]*?)\n```$/m.exec(await readFile(page, "utf8"))?.[1]
  expect(results).toEqual(shown?.split("\n"))
})
