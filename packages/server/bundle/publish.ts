/**
 * Bundles the `frontdesk` command for its package: `dist/bin` has the program, and the licences of the packages whose code it
 * contains. Fails when such a package has no licence text, and when the program needs a package that is not installed with
 * it.
 */
import assert from "node:assert/strict"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import * as Bundler from "./Bundler.ts"

const server = join(import.meta.dirname, "..")
const folder = join(server, "dist/bin")

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    name: Schema.String,
    version: Schema.String,
    license: Schema.String,
    dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  })
)

const manifestIn = (folder: string) =>
  Schema.decodeUnknownSync(Manifest)(readFileSync(join(folder, "package.json"), "utf8"))

/** The folder and the name of an installed package, and the path inside it. */
const installed = /^(?<folder>.*\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+))\/(?<path>.*)$/

/** The name of a package of the workspace, and the path inside it. */
const own = /^packages\/(?<name>[^/]+)\/(?<path>.*)$/

/**
 * Returns where a source is when npm has installed the packages, as seen from the bundle. Source maps refer to the sources
 * there, so that a stack trace names the package of each line.
 */
const sourcePath = (file: string): string => {
  const path = Bundler.fromRoot(file)
  const { groups: ofPackage } = installed.exec(path) ?? {}
  if (ofPackage !== undefined) return `../../../${ofPackage["name"]}/${ofPackage["path"]}`
  const { groups: ofWorkspace } = own.exec(path) ?? {}
  if (ofWorkspace === undefined) return path
  const { name, path: rest } = ofWorkspace
  return name === "server" ? `../../${rest}` : `../../../@frontdesk/${name}/${rest}`
}

/** Returns the licence of an installed package, with its text. */
const licence = (folder: string): string => {
  const { license, name, version } = manifestIn(folder)
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  assert.ok(file !== undefined, `${name} has no licence text, which the bundle has to contain`)
  return `## ${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
}

rmSync(folder, { recursive: true, force: true })
const { chunks, modules } = await Bundler.write({ program: join(server, "src/main.ts"), folder, sourcePath })

const files = new Set(chunks.map(({ fileName }) => fileName))
const { dependencies = {} } = manifestIn(server)
for (const name of chunks.flatMap(({ dynamicImports, imports }) => [...imports, ...dynamicImports])) {
  assert.ok(
    files.has(name) || isBuiltin(name) || name in dependencies,
    `The bundle imports ${name}, which is not a dependency of the package`
  )
}

const folders = new Set(
  [...modules.keys()].flatMap((file) => installed.exec(Bundler.fromRoot(file))?.groups?.["folder"] ?? [])
)
const licences = [...folders].map((folder) => licence(join(Bundler.root, folder)))
writeFileSync(
  join(folder, "LICENSES.md"),
  `# Licences of the code in this folder\n\nThe files are part of Frontdesk, whose licence is in \`../../LICENSE\`. They also contain code of the following packages:\n\n${licences.toSorted().join("\n")}`
)
