import * as fs from "node:fs"
import * as path from "node:path"
import { imports } from "./Syntax.ts"

/** The imports of modules that are not only functions on plain data. */
const notPure = new Set(["effect/Effect", "effect/Context", "effect/Layer"])

/** Modules with rules that also export an Effect or a service. */
export const mixed: ReadonlySet<string> = new Set([
  "access/Authorization",
  "access/ApiKeyValue",
  "call/ReconcilePlan",
  "values/Keyset",
  "webhook-event/WebhookHeaders",
  "webhook-event/WebhookSignature"
])

/**
 * Returns the modules that are mutated when the command is given no path: those of core that import neither Effect nor a
 * service at run time, and those of {@link mixed}. Index files are left out.
 */
export const pureRules = (root: string): ReadonlyArray<string> => {
  const folder = path.join(root, "packages/core/src")
  return fs
    .globSync("*/**/*.ts", { cwd: folder })
    .toSorted()
    .map((name) => path.join(folder, name))
    .filter((file) => {
      const name = path.relative(folder, file).replaceAll(path.sep, "/").replace(/\.ts$/, "")
      return mixed.has(name) || !imports(file, fs.readFileSync(file, "utf8")).some((name) => notPure.has(name))
    })
}
