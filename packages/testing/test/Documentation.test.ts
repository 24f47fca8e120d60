import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type BadFence, type Fence, type ShownFile, fences } from "./documentation/Fence.ts"
import * as Sandbox from "./documentation/Sandbox.ts"

const all = (await Sandbox.pages()).flatMap(({ markdown, page }) => fences(page, markdown))
const good = all.filter((fence): fence is Fence => "runs" in fence)
const shown = all.filter((fence): fence is ShownFile => "file" in fence)
const bad = all.filter((fence): fence is BadFence => "problem" in fence)

describe("the code in the pages", () => {
  let sandbox: Sandbox.Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.make(good)
  })
  afterAll(() => sandbox.remove())

  it("stands in well-formed fences, and code that is not run says why", () => {
    expect(bad).toEqual([])
  })

  it.each(shown)("shows a file as it is: $page:$line $file", async ({ code, file }) => {
    expect(`${code}\n`).toBe(await Sandbox.content(file))
  })

  it("passes the type checker", { timeout: 120_000 }, async () => {
    expect(await sandbox.check()).toBeNull()
  })

  for (const fence of good.filter((each) => each.runs)) {
    it(`runs: ${fence.page}:${fence.line}`, { timeout: 120_000 }, async () => {
      expect(await sandbox.run(fence)).toBeNull()
    })
  }
})

describe("a fence", () => {
  const page = (...lines: ReadonlyArray<string>) => fences("page.md", lines.join("\n"))

  it("is found with the line its code begins on", () => {
    expect(page("# Title", "", "```ts", "const a = 1", "a + 1", "```", "Text")).toEqual([
      { page: "page.md", line: 4, code: "const a = 1\na + 1", runs: true }
    ])
  })

  it("of another language is passed over, with all that stands in it", () => {
    expect(page("```json", "{}", "```", "````md", "```ts", "wrong(", "```", "````", "~~~", "```ts", "~~~")).toEqual([])
  })

  it("is not run when a reason follows, and is refused without one", () => {
    expect(page("```ts no-run", "a", "```", "", "<!-- not run: it places a real call -->")).toEqual([
      { page: "page.md", line: 2, code: "a", runs: false }
    ])
    expect(page("```ts no-run", "a", "```", "Text", "<!-- not run: too late -->")).toEqual([
      { page: "page.md", line: 1, problem: "no-run without a reason" }
    ])
  })

  it("that shows a file names it", () => {
    expect(page("```ts src/a-b/C.ts", "a", "```")).toEqual([
      { page: "page.md", line: 2, code: "a", file: "src/a-b/C.ts" }
    ])
  })

  it("is refused when it has no end or an unknown word", () => {
    expect(page("```ts", "a")).toEqual([{ page: "page.md", line: 1, problem: "unclosed" }])
    expect(page("```ts norun", "a", "```")).toEqual([{ page: "page.md", line: 1, problem: "unknown word after ts" }])
  })
})

describe("the sandbox", () => {
  const fence = (code: string): Fence => ({ page: "docs/page.md", line: 7, code, runs: true })

  const within = async <A>(code: string, use: (sandbox: Sandbox.Sandbox) => Promise<A>): Promise<A> => {
    const sandbox = await Sandbox.make([fence(code)])
    try {
      return await use(sandbox)
    } finally {
      await sandbox.remove()
    }
  }

  it("accepts code that imports packages of the workspace, and effect", { timeout: 120_000 }, async () => {
    const code = `import * as assert from "node:assert"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"

assert.ok(Schema.is(CalendarDate)(Effect.runSync(Effect.succeed("2026-03-08"))))`
    await within(code, async (sandbox) => {
      expect(await sandbox.check()).toBeNull()
      expect(await sandbox.run(fence(code))).toBeNull()
    })
  })

  it("names the page and the line of a wrong type", { timeout: 120_000 }, async () => {
    expect(await within(`\nconst a: string = 1`, (sandbox) => sandbox.check())).toContain("docs/page.md(8,7)")
  })

  it("names the page and the line of a failed assertion", { timeout: 120_000 }, async () => {
    const code = `import * as assert from "node:assert"\nassert.equal(1, 2)`
    expect(await within(code, (sandbox) => sandbox.run(fence(code)))).toMatch(/^docs\/page\.md:7\n[^]*docs\/page\.md:8/)
  })
})
