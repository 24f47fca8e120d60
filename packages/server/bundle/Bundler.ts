import { type Stats, statSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { type OutputChunk, type Plugin, rolldown } from "rolldown"

const server = join(import.meta.dirname, "..")

/** The folder of the workspace. */
export const root = join(server, "../..")

/**
 * The packages that stay outside of a bundle. They read what comes from the network, so an operator must be able to update
 * them without a new version of Frontdesk. None of them is loaded at the start.
 */
const external = ["@rgrove/parse-xml", "ical.js", "nodemailer", "undici"]

/**
 * The modules that run as threads. Each becomes a file of its own with the name that the module which starts it expects
 * beside it. It shares no file with the program, because a thread would then run the program.
 */
const threads = { longReadThread: join(root, "packages/storage-sqlite/src/client/longReadThread.ts") }

const virtual = "\0builtin:"

/**
 * Reads of a module of Node only what the program uses. For an `import`, Node reads every export of the module. Those of
 * `node:http` include the clients of `fetch` and WebSocket, which take as long to load as the server.
 */
const builtins: Plugin = {
  name: "builtins",
  // The runtime of the bundler itself imports node:module, and must be loaded first.
  resolveId: { filter: { id: /^node:(?!module$)/ }, handler: (id) => virtual + id },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => {
      const name = id.slice(virtual.length)
      const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter((key) => /^[A-Za-z]\w*$/.test(key))
      const exported = names
        .filter((key) => key !== "default")
        .map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})()`)
      return [`const builtin = process.getBuiltinModule("${name}")`, "export default builtin", ...exported].join("\n")
    }
  }
}

/** A bundle that was written. */
export interface Bundle {
  /**
   * The modules by their absolute paths, each with the state of its file before it was read. If the file changes while the
   * bundle is made, its state differs from this one.
   */
  readonly modules: ReadonlyMap<string, Stats>
  readonly chunks: ReadonlyArray<OutputChunk>
}

/** Options of a bundle. */
export interface BundleOptions {
  /**
   * The path of the module that is the program. It becomes `main.js`. It must not have a top-level `await`: files that are
   * loaded later import `main.js`, and would wait for it for ever.
   */
  readonly program: string
  /** Where the files are written, all directly into this folder. */
  readonly folder: string
  /** Returns the path that a source map has for a source file, relative to the folder. Default: where the file is. */
  readonly sourcePath?: (file: string) => string
}

/**
 * Writes a program with all its modules as a few files. `main.js` has what is loaded at the start. Modules that are imported
 * dynamically are in files of their own, which are loaded when the program needs them.
 */
export const write = async ({ folder, program, sourcePath }: BundleOptions): Promise<Bundle> => {
  const modules = new Map<string, Stats>()
  const recorder: Plugin = {
    name: "recorder",
    load: (id) => {
      if (isAbsolute(id)) modules.set(id, statSync(id))
    }
  }
  const writeOne = async (input: Readonly<Record<string, string>>): Promise<ReadonlyArray<OutputChunk>> => {
    await using bundle = await rolldown({
      input,
      cwd: root,
      platform: "node",
      external,
      // The settings of the type checker do not concern the bundle.
      tsconfig: false,
      logLevel: "warn",
      plugins: [recorder, builtins]
    })
    const { output } = await bundle.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: { groups: [{ name: "main", tags: ["$initial"] }] },
      comments: { legal: true, annotation: false, jsdoc: false },
      sourcemap: true,
      // The sources are where the map says, in a checkout as well as in the published packages.
      sourcemapExcludeSources: true,
      ...(sourcePath !== undefined && {
        sourcemapPathTransform: (source, map) => sourcePath(join(map, "..", source))
      })
    })
    return output.filter((file) => file.type === "chunk")
  }
  const chunks = await Promise.all([{ main: program }, threads].map(writeOne))
  return { modules, chunks: chunks.flat() }
}

/** Returns the path of a file from the folder of the workspace, with slashes. */
export const fromRoot = (file: string): string => relative(root, file).replaceAll("\\", "/")
