import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { generate } from "./generate/Generate.ts"

const generated = join(import.meta.dirname, "../src/generated")

it("the types and the operations are those of the OpenAPI document. If not, run `pnpm run client`", () => {
  // Beside the sources, because the formatter reads its settings from the folders above.
  const folder = mkdtempSync(join(import.meta.dirname, "generated-"))
  try {
    for (const [name, text] of Object.entries(generate())) writeFileSync(join(folder, `${name}.ts`), text)
    execFileSync("pnpm", ["exec", "oxfmt", folder])
    for (const name of ["types.ts", "operations.ts"]) {
      expect(readFileSync(join(generated, name), "utf8")).toBe(readFileSync(join(folder, name), "utf8"))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
