import * as fs from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { mixed, pureRules } from "../src/PureRules.ts"

const root = path.resolve(import.meta.dirname, "../../..")

describe("pureRules", () => {
  const names = pureRules(root).map((file) => path.relative(path.join(root, "packages/core/src"), file))

  it("pureRules returns modules on plain data, and no services or stores", () => {
    expect(names).toContain(path.join("contact", "ContactMerge.ts"))
    expect(names).not.toContain(path.join("contact", "Contacts.ts"))
    expect(names).not.toContain("index.ts")
  })

  it("every module of the list mixed exists", () => {
    const missing = [...mixed].filter((name) => !fs.existsSync(path.join(root, "packages/core/src", `${name}.ts`)))
    expect(missing).toEqual([])
  })
})
