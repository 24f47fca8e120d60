import * as fs from "node:fs/promises"
import * as path from "node:path"

const packages = path.resolve(import.meta.dirname, "../../..")

/** A service of core that other packages may implement. */
export interface Port {
  /** The path of its module in `@frontdesk/core/`. */
  readonly path: string
  /** The first sentence of its documentation. */
  readonly purpose: string
  readonly suite: string
  /** The packages that have an adapter. Core is one of them if it has its own. */
  readonly adapters: ReadonlyArray<string>
}

/** Packages without adapters for products: fakes, tools and the server. */
const withoutAdapters: ReadonlySet<string> = new Set(["testing", "bench", "provider-fakes", "test-postgres", "server"])

const declaration = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export class (\w+) extends Context\.Service</g

const sources = async (folder: string): Promise<ReadonlyArray<{ readonly file: string; readonly text: string }>> => {
  const root = path.join(packages, folder, "src")
  const found: Array<{ readonly file: string; readonly text: string }> = []
  for await (const file of fs.glob("**/*.ts", { cwd: root })) {
    found.push({ file: file.replaceAll(path.sep, "/"), text: await fs.readFile(path.join(root, file), "utf8") })
  }
  return found
}

const upTo = (sentence: string): string => sentence.replace(/\.(?:\s[^]*)?$/, "")

/**
 * Reads the sources. Returns the ports of core, and the names of all services of core that another package implements.
 */
export const read = async (): Promise<{
  readonly ports: ReadonlyArray<Port>
  readonly implemented: ReadonlySet<string>
}> => {
  const folders = (await fs.readdir(packages)).filter((folder) => !withoutAdapters.has(folder)).toSorted()
  const code = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      text: (await sources(folder)).map(({ text }) => text).join("\n")
    }))
  )
  const ports: Array<Port> = []
  const implemented = new Set<string>()
  for (const { file, text } of await sources("core")) {
    for (const [, comment = "", name = ""] of text.matchAll(declaration)) {
      const implementation = new RegExp(`\\b${name}\\.of\\(`)
      const adapters = code.filter((each) => implementation.test(each.text)).map(({ folder }) => folder)
      if (adapters.some((folder) => folder !== "core")) implemented.add(name)
      const [, documented] = /Port: ([^]*?)(?:\n\s*\*\s*\n|$)/.exec(comment) ?? []
      if (documented === undefined) continue
      const [purpose = ""] = documented
        .replaceAll(/\s*\n\s*\*\s*/g, " ")
        .trim()
        .split(/(?<=\.) /)
      ports.push({
        path: file.replace(/\.ts$/, ""),
        purpose: upTo(purpose),
        suite: `${name.charAt(0).toLowerCase()}${name.slice(1)}Suite`,
        adapters
      })
    }
  }
  return { ports: ports.toSorted((a, b) => (a.path < b.path ? -1 : 1)), implemented }
}
