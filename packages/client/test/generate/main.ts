/** Writes what the OpenAPI document gives: \`pnpm run client\`. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generate } from "./Generate.ts"

const folder = join(import.meta.dirname, "../../src/generated")
const { operations, types } = generate()
writeFileSync(join(folder, "types.ts"), types)
writeFileSync(join(folder, "operations.ts"), operations)
execFileSync("pnpm", ["exec", "oxfmt", folder])
