import { createHash, randomUUID } from "node:crypto"
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../../..")
const server = join(root, "packages/server")

/** The programs that tests start as separate processes. */
const programs = {
  /** The command line. */
  main: join(server, "src/main.ts"),
  /** The command line with kill points around its ports, for the kill test. */
  child: join(server, "test/kill/child.ts")
}

/** The folder of all bundles. Each bundle has a folder that is named by a hash of its sources. */
const cache = join(server, "node_modules/.cache/bundles")

/** How long an outdated bundle is stored, in milliseconds. Another run of the tests may still use it. */
const outdatedRetention = 3_600_000

/** Returns a hash of the times and sizes of all sources. */
const sourcesHash = (): string => {
  const files = globSync(["packages/*/src/**/*.ts", "packages/server/test/kill/*.ts", "pnpm-lock.yaml"], { cwd: root })
  const hash = createHash("sha256")
  for (const file of files.toSorted()) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

const removeOld = (key: string): void => {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (name !== key && statSync(folder, { throwIfNoEntry: false }) !== undefined) {
      if (Date.now() - statSync(folder).mtimeMs > outdatedRetention) rmSync(folder, { recursive: true, force: true })
    }
  }
}

const build = async (key: string): Promise<void> => {
  const temporary = join(cache, randomUUID())
  mkdirSync(temporary, { recursive: true })
  const bundle = await rolldown({ input: programs, platform: "node", logLevel: "warn" })
  await bundle.write({ dir: join(temporary, "src"), format: "esm" })
  await bundle.close()
  // The program reads its version from the package that it is in.
  copyFileSync(join(server, "package.json"), join(temporary, "package.json"))
  try {
    renameSync(temporary, join(cache, key))
  } catch {
    // Another test process has built the same bundle in the meantime.
    rmSync(temporary, { recursive: true, force: true })
  }
  removeOld(key)
}

let built: Promise<string> | undefined

const folder = (): Promise<string> => {
  built ??= (async () => {
    const key = sourcesHash()
    if (!existsSync(join(cache, key))) await build(key)
    return join(cache, key, "src")
  })()
  return built
}

/**
 * Returns the path of a bundled program, and builds the bundle if the sources have changed. A bundle starts in a quarter
 * of the time of a checkout, which loads 800 modules. `start-and-stop/NodeVersion.test.ts` starts a checkout.
 */
export const path = async (name: keyof typeof programs): Promise<string> => join(await folder(), `${name}.js`)
