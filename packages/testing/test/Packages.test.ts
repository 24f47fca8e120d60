import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../..")
const read = (...names: ReadonlyArray<string>) => fs.readFile(path.join(root, ...names), "utf8").catch(() => null)

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    name: Schema.String,
    version: Schema.String,
    private: Schema.optionalKey(Schema.Boolean),
    files: Schema.optionalKey(Schema.Array(Schema.String)),
    exports: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
  })
)
const folders = await fs.readdir(path.join(root, "packages"))
const manifests = await Promise.all(
  folders.map(async (folder) => ({
    folder,
    ...Schema.decodeUnknownSync(Manifest)(await read("packages", folder, "package.json"))
  }))
)
const published = manifests.filter((manifest) => manifest.private !== true)

describe("published packages", () => {
  it.each(published)("$name has the license of the repository", async ({ folder }) => {
    expect(await read("packages", folder, "LICENSE")).toBe(await read("LICENSE"))
  })

  it.each(published)(
    "$name has a page for coding agents and packs it with its documents",
    async ({ files, folder, name }) => {
      expect(await read("packages", folder, "AGENTS.md")).toMatch(new RegExp(`^# ${name} for coding agents\n`))
      expect(files).toEqual(expect.arrayContaining(["AGENTS.md", "dist"]))
      expect(await read("llms.txt")).toContain(`(packages/${folder}/AGENTS.md)`)
    }
  )

  it("all published packages have the same version", () => {
    expect(new Set(published.map(({ version }) => version)).size, "run `pnpm changeset version`").toBe(1)
  })

  it.each(published)("$name has a change log that begins with its version", async ({ folder, name, version }) => {
    expect(await read("packages", folder, "CHANGELOG.md")).toMatch(new RegExp(`^# ${name}\n\n## ${version}\n`))
  })
})

describe("tests of a package", () => {
  /** Returns the imports by relative path, in the tests of a package, of modules that the package exports. */
  const wrongImports = async (folder: string, exports: Readonly<Record<string, unknown>>) => {
    const wrong: Array<string> = []
    for await (const file of fs.glob("test/**/*.ts", { cwd: path.join(root, "packages", folder) })) {
      for (const [, module = ""] of ((await read("packages", folder, file)) ?? "").matchAll(ownModule)) {
        const exported = module === "index.ts" ? "." : "./*"
        if (exported in exports) wrong.push(`${file}: ${module}`)
      }
    }
    return wrong
  }

  it.each(manifests)(
    "the tests of $name import its exported modules by the package name, as users do",
    async ({ exports = {}, folder }) => {
      expect(await wrongImports(folder, exports)).toEqual([])
    }
  )
})

/** Matches an import of a source module of the own package by a relative path. */
const ownModule = /^(?:import|export|\}) .*"(?:\.\.\/)+src\/([^"]+)"/gm
