import { describe, expect, it } from "vitest"
import { type BadFence, type Fence, type ShownFile, fences } from "./documentation/Fence.ts"
import * as Sandbox from "./documentation/Sandbox.ts"

const all = await Sandbox.allFences()
const shownFiles = all.filter((fence): fence is ShownFile => "file" in fence)
const badFences = all.filter((fence): fence is BadFence => "problem" in fence)

const within = async <A>(programs: ReadonlyArray<Fence>, use: (sandbox: Sandbox.Sandbox) => Promise<A>): Promise<A> => {
  const sandbox = await Sandbox.make(programs)
  try {
    return await use(sandbox)
  } finally {
    await sandbox.remove()
  }
}

// That the code compiles and runs is checked in Documentation.full.test.ts.
describe("Code in the documentation", () => {
  it("every fence is well formed, and a fence that is not run gives a reason", () => {
    expect(badFences).toEqual([])
  })

  it.each(shownFiles)("a page shows the present content of a file: $page:$line $file", async ({ code, file }) => {
    expect(`${code}\n`).toBe(await Sandbox.content(file))
  })
})

describe("fences", () => {
  const page = (...lines: ReadonlyArray<string>) => fences("page.md", lines.join("\n"))

  it("a TypeScript fence is returned with the line on which its code begins", () => {
    expect(page("# Title", "", "```ts", "const a = 1", "a + 1", "```", "Text")).toEqual([
      { page: "page.md", line: 4, code: "const a = 1\na + 1", runs: true }
    ])
  })

  it("a fence of another language is skipped, with the fences inside it", () => {
    expect(page("```json", "{}", "```", "````md", "```ts", "wrong(", "```", "````", "~~~", "```ts", "~~~")).toEqual([])
  })

  it("a no-run fence is not run if a reason follows, and is a problem without one", () => {
    expect(page("```ts no-run", "a", "```", "", "<!-- not run: it places a real call -->")).toEqual([
      { page: "page.md", line: 2, code: "a", runs: false }
    ])
    expect(page("```ts no-run", "a", "```", "Text", "<!-- not run: too late -->")).toEqual([
      { page: "page.md", line: 1, problem: "no-run without a reason" }
    ])
  })

  it("a fence with a path shows that file", () => {
    expect(page("```ts src/a-b/C.ts", "a", "```")).toEqual([
      { page: "page.md", line: 2, code: "a", file: "src/a-b/C.ts" }
    ])
  })

  it("a fence without an end, or with an unknown word after ts, is a problem", () => {
    expect(page("```ts", "a")).toEqual([{ page: "page.md", line: 1, problem: "unclosed" }])
    expect(page("```ts norun", "a", "```")).toEqual([{ page: "page.md", line: 1, problem: "unknown word after ts" }])
  })
})

describe("Sandbox", () => {
  const fence = (code: string): Fence => ({ page: "docs/page.md", line: 7, code, runs: true })

  it("check and run accept code that imports effect and packages of the workspace", { timeout: 120_000 }, async () => {
    const code = `import * as assert from "node:assert"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"

assert.ok(Schema.is(CalendarDate)(Effect.runSync(Effect.succeed("2026-03-08"))))`
    await within([fence(code)], async (sandbox) => {
      expect(await sandbox.check()).toBeNull()
      expect(await sandbox.run(fence(code))).toBeNull()
    })
  })

  it("check returns the page and the line of a type error", { timeout: 120_000 }, async () => {
    expect(await within([fence(`\nconst a: string = 1`)], (sandbox) => sandbox.check())).toContain("docs/page.md(8,7)")
  })

  it("run returns the page and the line of a failed assertion", { timeout: 120_000 }, async () => {
    const code = `import * as assert from "node:assert"\nassert.equal(1, 2)`
    expect(await within([fence(code)], (sandbox) => sandbox.run(fence(code)))).toMatch(
      /^docs\/page\.md:7\n[^]*docs\/page\.md:8/
    )
  })
})
