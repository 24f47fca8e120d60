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

describe("every package that is published", () => {
  it.each(published)("$name has the license of the repository", async ({ folder }) => {
    expect(await read("packages", folder, "LICENSE")).toBe(await read("LICENSE"))
  })

  it("has the same version", () => {
    expect(new Set(published.map(({ version }) => version)).size, "run `pnpm changeset version`").toBe(1)
  })

  it.each(published)("$name has a change log that begins with its version", async ({ folder, name, version }) => {
    expect(await read("packages", folder, "CHANGELOG.md")).toMatch(new RegExp(`^# ${name}\n\n## ${version}\n`))
  })
})

describe("the tests of a package", () => {
  /** The imports of an exported module by its path, in all tests of a package. */
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

  it.each(manifests)("$name import what it exports by its name, as its users do", async ({ exports = {}, folder }) => {
    expect(await wrongImports(folder, exports)).toEqual([])
  })
})

/** An import of a module of its own package by its path. */
const ownModule = /^(?:import|export|\}) .*"(?:\.\.\/)+src\/([^"]+)"/gm
