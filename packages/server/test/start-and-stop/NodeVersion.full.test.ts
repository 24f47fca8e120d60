import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { complaint, oldNode, startedFiles } from "./scripts.ts"

describe("the command line on a Node that is too old", () => {
  it.skipIf(oldNode === undefined).each(startedFiles)(
    "the package.json script %s prints the required version on a real old Node",
    (_, folder, args) => {
      const { status, stderr } = spawnSync(oldNode ?? "", args, { cwd: folder, encoding: "utf8" })
      expect(status).toBe(2)
      expect(stderr).toMatch(complaint)
    }
  )
})
