import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { type BadFence, type Fence, type ShownFile, fences } from "./Fence.ts"

const root = path.resolve(import.meta.dirname, "../../../..")

/** The module that gives property tests in a page the seed of the test run. */
const seedModule = pathToFileURL(path.resolve(import.meta.dirname, "../seed.ts")).href

/** The result of a check or a run: null for success, otherwise the output that explains the failure. */
export type Failure = string | null

/** A folder outside the workspace with a program for each fence. The programs import the packages of the workspace. */
export interface Sandbox {
  /** Runs the type checker. Returns its errors, one per line, each with the page and the line in the page. */
  readonly check: () => Promise<Failure>
  /** Runs a fence. Returns its output if it fails, with the page and the line on which the fence begins. */
  readonly run: (fence: Fence) => Promise<Failure>
  readonly remove: () => Promise<void>
}

const fileOf = (fence: Fence): string => `${fence.page.replaceAll("/", "+")}.L${fence.line}.ts`

/** Replaces the names of the generated files by those of their pages. The line numbers are equal: see `make`. */
const withPageNames = (output: string, fences: ReadonlyArray<Fence>): string =>
  fences.reduce((text, fence) => text.replaceAll(fileOf(fence), fence.page), output)

const execute = (command: string, args: ReadonlyArray<string>, cwd: string): Promise<Failure> =>
  new Promise((resolve) => {
    // The fences import the same modules. With a cache, Node compiles each module once.
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(cwd, "compiled") }
    execFile(command, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve(error === null ? null : `${stdout}${stderr}`.trim() || error.message)
    )
  })

const directories = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name))
}

/** Returns the packages that a package has installed: each path under `node_modules`, and its target. */
const installedIn = async (folder: string): Promise<ReadonlyArray<readonly [string, string]>> => {
  const modules = path.join(folder, "node_modules")
  const names = await fs.readdir(modules).catch(() => [])
  const listed = await Promise.all(
    names
      .filter((name) => !name.startsWith("."))
      .map(async (name) =>
        name.startsWith("@")
          ? (await fs.readdir(path.join(modules, name))).map((inner) => path.join(name, inner))
          : [name]
      )
  )
  return listed.flat().map((name) => [name, path.join(modules, name)])
}

const nameOf = async (folder: string): Promise<string | null> => {
  const manifest = await fs.readFile(path.join(folder, "package.json"), "utf8").catch(() => null)
  const content: unknown = manifest === null ? null : JSON.parse(manifest)
  return typeof content === "object" && content !== null && "name" in content && typeof content.name === "string"
    ? content.name
    : null
}

/** Links every package of the workspace, and every package that one of them has installed. */
const linkModules = async (sandbox: string): Promise<void> => {
  const links = new Map<string, string>()
  for (const folder of await directories(path.join(root, "packages"))) {
    const name = await nameOf(folder)
    if (name !== null) links.set(name, folder)
    for (const [installed, target] of await installedIn(folder)) links.set(installed, await fs.realpath(target))
  }
  for (const [name, target] of links) {
    const link = path.join(sandbox, "node_modules", name)
    await fs.mkdir(path.dirname(link), { recursive: true })
    await fs.symlink(target, link)
  }
}

/** Makes a sandbox with these fences. */
export const make = async (fences: ReadonlyArray<Fence>): Promise<Sandbox> => {
  // The folder must be outside the workspace: Node does not strip types from files below a folder named node_modules.
  const sandbox = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), "frontdesk-documentation-"))
  await linkModules(sandbox)
  await fs.writeFile(path.join(sandbox, "package.json"), `{ "type": "module" }`)
  await fs.writeFile(
    path.join(sandbox, "tsconfig.json"),
    JSON.stringify({
      extends: path.join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, composite: false, rewriteRelativeImportExtensions: false, types: ["node"] },
      files: fences.map(fileOf)
    })
  )
  // Empty lines before the code make the line numbers of the file equal to those of the page.
  for (const fence of fences) {
    await fs.writeFile(path.join(sandbox, fileOf(fence)), "\n".repeat(fence.line - 1) + fence.code)
  }
  return {
    check: async () => {
      if (fences.length === 0) return null
      // Several checkers would each check what the fences share, which doubles the work.
      const options = ["-p", ".", "--pretty", "false", "--checkers", "1"]
      const output = await execute(path.join(root, "node_modules/.bin/tsc"), options, sandbox)
      return output === null ? null : withPageNames(output, fences)
    },
    run: async (fence) => {
      const output = await execute(process.execPath, ["--import", seedModule, fileOf(fence)], sandbox)
      return output === null ? null : `${fence.page}:${fence.line}\n${withPageNames(output, fences)}`
    },
    remove: () => fs.rm(sandbox, { recursive: true, force: true })
  }
}

/** Returns the content of a file of the workspace by its path from the root, or null if it does not exist. */
export const content = (file: string): Promise<string | null> =>
  fs.readFile(path.join(root, file), "utf8").catch(() => null)

/** The pages whose code is checked: all README files and everything in `docs`. */
const pages = ["README.md", "packages/*/README.md", "packages/*/docs/**/*.md", "examples/*/README.md", "docs/**/*.md"]

/** Returns every fence of the pages of the workspace, in the order of their paths. */
export const allFences = async (): Promise<ReadonlyArray<Fence | ShownFile | BadFence>> => {
  const paths = await Array.fromAsync(fs.glob(pages, { cwd: root }))
  const found = paths.toSorted().map(async (page) => {
    const markdown = await fs.readFile(path.join(root, page), "utf8")
    return fences(page.replaceAll(path.sep, "/"), markdown)
  })
  return (await Promise.all(found)).flat()
}
