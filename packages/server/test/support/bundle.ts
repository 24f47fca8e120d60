import { createHash, randomUUID } from "node:crypto"
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../../..")
const server = join(root, "packages/server")

/** The programs that tests start as processes of their own. */
const programs = {
  /** The command line. */
  main: join(server, "src/main.ts"),
  /** The command line with kill points around its ports. */
  child: join(server, "test/kill/child.ts")
}

/** Where bundles are kept, each in a folder named by what it was made of. */
const cache = join(server, "node_modules/.cache/bundles")

/** For how long a bundle is kept that is no longer the present one, in milliseconds: a run that uses it may be under way. */
const answerRetention = 3_600_000

/** Identifies the present sources by their times and sizes. */
const present = (): string => {
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
      if (Date.now() - statSync(folder).mtimeMs > answerRetention) rmSync(folder, { recursive: true, force: true })
    }
  }
}

const build = async (key: string): Promise<void> => {
  const made = join(cache, randomUUID())
  mkdirSync(made, { recursive: true })
  const bundle = await rolldown({ input: programs, platform: "node", logLevel: "warn" })
  await bundle.write({ dir: join(made, "src"), format: "esm" })
  await bundle.close()
  // The program reads its version from the package that it is in.
  copyFileSync(join(server, "package.json"), join(made, "package.json"))
  try {
    renameSync(made, join(cache, key))
  } catch {
    // Another worker of the tests was quicker, with the same sources.
    rmSync(made, { recursive: true, force: true })
  }
  removeOld(key)
}

let built: Promise<string> | undefined

const folder = (): Promise<string> => {
  built ??= (async () => {
    const key = present()
    if (!existsSync(join(cache, key))) await build(key)
    return join(cache, key, "src")
  })()
  return built
}

/**
 * Returns the file of a program, with all its modules in a few files. It starts in a quarter of the time of a checkout,
 * which loads 800 modules. `start-and-stop/NodeVersion.test.ts` starts the command line as a checkout does.
 */
export const path = async (name: keyof typeof programs): Promise<string> => join(await folder(), `${name}.js`)
