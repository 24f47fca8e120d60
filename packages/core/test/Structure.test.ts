import { describe, expect, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * The folders of `core/src`, the lowest layer first. A file imports from its own folder and from the folders before it, types
 * included. Add a new folder after every folder that it imports.
 */
const layers = [
  "values",
  "storage",
  "background",
  "crypto",
  "audit",
  "access",
  "agent",
  "variable",
  "business-context",
  "contact",
  "contact-file",
  "account",
  "idempotency",
  "webhook-event",
  "delivery",
  "webhook",
  "calendar-event",
  "mail",
  "external-calendar",
  "secret",
  "outbox",
  "people",
  "reminder",
  "availability",
  "calendar",
  "call",
  "booking",
  "erasure",
  "statistics",
  "provisioning",
  "worker",
  "operator"
]

/** The files that each file imports, by their paths under one root. */
type Imports = ReadonlyMap<string, ReadonlyArray<string>>

const readImports = (root: string): Imports =>
  new Map(
    fs
      .readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => {
        const text = fs.readFileSync(path.join(root, file), "utf8")
        const specifiers = Array.from(
          text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g),
          ([, specifier = ""]) => specifier
        )
        return [file, specifiers.map((specifier) => path.join(path.dirname(file), specifier))] as const
      })
  )

const folderOf = (file: string): string => path.dirname(file)

/** Returns the imports of a folder that does not come before the importing one. */
const upwardImports = (imports: Imports, order: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...imports].flatMap(([file, imported]) =>
    imported
      .filter((target) => {
        const [from, to] = [folderOf(file), folderOf(target)]
        // Files beside the folders, such as the index, may import everything. No file of a folder imports them.
        return from !== "." && from !== to && (to === "." || order.indexOf(to) >= order.indexOf(from))
      })
      .map((target) => `${file} imports ${target}`)
  )

/** Returns the files that import themselves through others. */
const filesInCircles = (imports: Imports): ReadonlyArray<string> =>
  [...imports.keys()].filter((file) => {
    const reached = new Set<string>()
    const open = [...(imports.get(file) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...(imports.get(next) ?? []))
    }
    return reached.has(file)
  })

describe("the structure of core", () => {
  const imports = readImports(path.join(import.meta.dirname, "../src"))

  it("every folder has a place among the layers", () => {
    const folders = new Set([...imports.keys()].map(folderOf).filter((folder) => folder !== "."))
    expect([...folders].toSorted()).toEqual(layers.toSorted())
  })

  it("a folder imports only folders before it", () => {
    expect(upwardImports(imports, layers)).toEqual([])
  })

  it("no file imports itself through others", () => {
    expect(filesInCircles(imports)).toEqual([])
  })
})

describe("the check of the structure", () => {
  const downward: Imports = new Map([
    ["high/A.ts", ["low/B.ts", "high/C.ts"]],
    ["high/C.ts", []],
    ["low/B.ts", []],
    ["index.ts", ["high/A.ts", "low/B.ts"]]
  ])

  it("accepts imports of lower layers, imports within a folder, and every import in the index", () => {
    expect(upwardImports(downward, ["low", "high"])).toEqual([])
    expect(filesInCircles(downward)).toEqual([])
  })

  it("reports an import of a higher layer and the circle of files that it closes", () => {
    const circular = new Map([...downward, ["low/B.ts", ["high/A.ts"]]])
    expect(upwardImports(circular, ["low", "high"])).toEqual(["low/B.ts imports high/A.ts"])
    expect(filesInCircles(circular)).toEqual(["high/A.ts", "low/B.ts"])
  })

  it("reports a file of a folder that imports the index", () => {
    const circular = new Map([...downward, ["low/B.ts", ["index.ts"]]])
    expect(upwardImports(circular, ["low", "high"])).toEqual(["low/B.ts imports index.ts"])
  })

  it("reads imports of values and of types, on one line and on several", () => {
    const core = readImports(path.join(import.meta.dirname, "../src"))
    expect(core.get("call/Billing.ts")).toContain("values/Money.ts")
    expect(core.get("call/CallStore.ts")).toContain("access/Account.ts")
    expect(core.get("call/CallStarts.ts")).toContain("call/CallError.ts")
  })
})
