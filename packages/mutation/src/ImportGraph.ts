import * as fs from "node:fs"
import * as path from "node:path"
import { imports } from "./Syntax.ts"

/** The imports between the files of the workspace at run time. Imports of types alone do not count. */
export interface ImportGraph {
  /** The files that import a file, by its absolute path. */
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>
}

const filesUnder = (folder: string): ReadonlyArray<string> =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
        .map((entry) => path.join(entry.parentPath, entry.name))
    : []

const nameOf = (folder: string): string | undefined => {
  const manifest: unknown = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))
  return typeof manifest === "object" && manifest !== null && "name" in manifest && typeof manifest.name === "string"
    ? manifest.name
    : undefined
}

/** Reads the imports of all packages under `packages`. */
export const make = (root: string): ImportGraph => {
  const folders = fs
    .globSync("packages/*/package.json", { cwd: root })
    .map((manifest) => path.join(root, path.dirname(manifest)))
  const folderOf = new Map(folders.map((folder) => [nameOf(folder), folder]))
  const resolve = (importer: string, specifier: string): string | undefined => {
    if (specifier.startsWith(".")) return path.resolve(path.dirname(importer), specifier)
    const [scope = "", ...rest] = specifier.split("/")
    const name = scope.startsWith("@") ? `${scope}/${rest[0] ?? ""}` : scope
    const folder = folderOf.get(name)
    const inner = (scope.startsWith("@") ? rest.slice(1) : rest).join("/")
    return folder === undefined ? undefined : path.join(folder, "src", `${inner === "" ? "index" : inner}.ts`)
  }
  const importers = new Map<string, Set<string>>()
  for (const file of folders.flatMap((folder) =>
    ["src", "test"].flatMap((part) => filesUnder(path.join(folder, part)))
  )) {
    for (const specifier of imports(file, fs.readFileSync(file, "utf8"))) {
      const imported = resolve(file, specifier)
      if (imported !== undefined) importers.set(imported, (importers.get(imported) ?? new Set()).add(file))
    }
  }
  return { importers }
}

const packageOf = (root: string, file: string): string =>
  path.relative(root, file).split(path.sep).slice(0, 2).join("/")

/**
 * Returns the test files in the package of a module that reach the module by imports, nearest first. The distance is the
 * number of imports between them. It is one less if the name of the test file begins with that of the module, and half
 * an import more if their folders have different names. Long tests (`*.full.test.ts`) are left out.
 */
export const testsOf = (graph: ImportGraph, root: string, module: string): ReadonlyArray<string> => {
  const distances = new Map([[module, 0]])
  for (const [file, distance] of distances) {
    for (const importer of graph.importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1)
    }
  }
  const folder = path.basename(path.dirname(module))
  const name = path.basename(module, ".ts")
  const rank = (file: string): number =>
    (path.basename(file).startsWith(name) ? -1 : 0) + (path.basename(path.dirname(file)) === folder ? 0 : 0.5)
  return [...distances]
    .filter(([file]) => file.endsWith(".test.ts") && !file.endsWith(".full.test.ts"))
    .filter(([file]) => packageOf(root, file) === packageOf(root, module))
    .map(([file, distance]) => [file, distance + rank(file)] as const)
    .toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .map(([file]) => file)
}
