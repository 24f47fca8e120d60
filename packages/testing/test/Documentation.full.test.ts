import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fence } from "./documentation/Fence.ts"
import * as Sandbox from "./documentation/Sandbox.ts"

const programs = (await Sandbox.allFences()).filter((fence): fence is Fence => "runs" in fence)
const run = programs.filter(({ runs }) => runs)

describe("Code in the documentation", () => {
  let sandbox: Sandbox.Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.make(programs)
  })
  afterAll(() => sandbox.remove())

  it("the type checker accepts the code of every page", { timeout: 120_000 }, async () => {
    expect(await sandbox.check()).toBeNull()
  })

  it.each(run)("runs without a failure: $page:$line", { timeout: 120_000 }, async (fence) => {
    expect(await sandbox.run(fence)).toBeNull()
  })
})
