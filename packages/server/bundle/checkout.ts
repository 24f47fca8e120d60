/**
 * Bundles a program of this checkout and records what the bundle was made of: node checkout.ts PROGRAM MANIFEST. Prints the
 * name of the bundle's folder. `bin/checkout.cjs` runs it when a file has changed.
 *
 * Each bundle has a folder of its own, because a running program may still load modules of an older one. The manifest
 * is replaced at once, when the folder is complete, so programs that start at the same time do not disturb each other.
 */
import { randomUUID } from "node:crypto"
import { copyFileSync, globSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import * as Bundler from "./Bundler.ts"

/** How long a bundle is stored after a program last marked it as used, in milliseconds. */
const retention = 86_400_000

/** The files that decide what is in a bundle without being a module of it. */
const configuration = ["node_modules/.pnpm/lock.yaml", "packages/*/package.json", "packages/server/bundle/*.ts"]

/** Deletes the bundles that no program has used for a day, and what an interrupted run has left. */
const removeOld = (cache: string): void => {
  for (const name of readdirSync(cache).filter((name) => !name.endsWith(".json"))) {
    const usedAt = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - usedAt > retention) rmSync(join(cache, name), { recursive: true, force: true })
  }
}

const [program = "", manifest = ""] = process.argv.slice(2)
const cache = dirname(manifest)
const name = randomUUID()
const folder = join(cache, name)
const configured = globSync(configuration, { cwd: Bundler.root }).map((path) => {
  const file = join(Bundler.root, path)
  return [file, statSync(file)] as const
})
const { modules } = await Bundler.write({ program, folder })
// The program reads its version from the package that it is in.
copyFileSync(join(Bundler.root, "packages/server/package.json"), join(folder, "package.json"))
const inputs = [...configured, ...modules].map(([file, { mtimeMs, size }]) => [Bundler.fromRoot(file), mtimeMs, size])
const outputs = globSync("**/*.js", { cwd: folder }).map((file) => [file, statSync(join(folder, file)).size])
writeFileSync(join(folder, "manifest"), JSON.stringify({ folder: name, inputs, outputs }))
renameSync(join(folder, "manifest"), manifest)
removeOld(cache)
process.stdout.write(name)
