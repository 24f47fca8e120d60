import { type DashboardFiles, headMark } from "@frontdesk/http/dashboard/DashboardFiles"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusal } from "../testApi.ts"
import { type Dashboard, makeDashboard } from "./dashboard.ts"

const files: DashboardFiles = {
  html: `<!doctype html><html><head>${headMark}<script src="./assets/main-1.js"></script></head></html>`,
  assets: [{ path: "/assets/main-1.js", contentType: "text/javascript", text: "start()" }],
  paths: ["/calls", "/calls/:id"]
}

describe.each([
  { base: "", mount: "/dashboard" as const },
  { base: "", mount: "/voice/desk" as const },
  { base: "/voice", mount: "/dashboard" as const }
])("the pages of a dashboard at $base$mount", ({ base, mount }) => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await makeDashboard({ base, mount, files })
  })
  afterAll(() => dashboard.api.close())

  it.each(["", "/", "/calls", "/calls/call_1?from=mail"])(
    "are one HTML with the base of its addresses, also without a session: %s",
    async (below) => {
      const { headers, status, text } = await dashboard.api.ask(`${dashboard.path}${below}`)
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(text).toContain(
        `<head><base href="${dashboard.path}/"><meta name="frontdesk-sign-in" content="link"><script`
      )
    }
  )

  it("load scripts and styles of this server alone, and nothing in another page", async () => {
    const { headers } = await dashboard.api.ask(dashboard.path)
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; media-src https:; form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
    )
    expect(headers.get("referrer-policy")).toBe("strict-origin")
    expect(headers.get("cache-control")).toBe("no-cache")
  })

  it("load files that browsers may cache for ever", async () => {
    const { headers, status, text } = await dashboard.api.ask(`${dashboard.path}/assets/main-1.js`)
    expect([status, text]).toEqual([200, "start()"])
    expect(headers.get("content-type")).toBe("text/javascript")
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  })

  it("are not at other paths", async () => {
    for (const below of ["/nothing", "/assets/other.js", "/calls/1/2"])
      expect((await dashboard.api.ask(`${dashboard.path}${below}`)).status).toBe(404)
  })

  it.each(["/nothing", "/calls/1/2", "/sign-in", "/sign-out"])(
    "are shown with 404 to a browser that asks for an address which is none of them: %s",
    async (below) => {
      const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
      const { headers: answered, status, text } = await dashboard.api.ask(`${dashboard.path}${below}`, { headers })
      expect([status, answered.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
      expect(text).toContain(`<head><base href="${dashboard.path}/">`)
    }
  )

  it("are not shown to a program, after a change, or below the API", async () => {
    const html = { accept: "text/html" }
    for (const [below, asked] of [
      ["/nothing", { headers: { accept: "application/json" } }],
      ["/nothing", { headers: html, method: "POST", body: {} }],
      ["/api/v1/nothing", { headers: html }],
      ["/api/v2", { headers: html }]
    ] as const) {
      const { json, status } = await dashboard.api.ask(`${dashboard.path}${below}`, asked)
      expect([below, status, json]).toEqual([below, 404, refusal("not_found")])
    }
    const outside = await dashboard.api.ask(`${dashboard.path}s/nothing`, { headers: html })
    expect([outside.status, outside.json]).toEqual([404, refusal("not_found")])
  })
})

it("a dashboard without files shows a browser a page of its own for an address that is none of its pages", async () => {
  const { api, path } = await makeDashboard()
  const { status, text } = await api.ask(`${path}/nothing`, { headers: { accept: "text/html" } })
  expect(status).toBe(404)
  expect(text).toContain(`<a href="${path}">Open the dashboard</a>`)
  await api.close()
})

describe("the way to sign in that the pages name", () => {
  it("is that of the program when it finds its users itself", async () => {
    const { api, path } = await makeDashboard({ files, resolve: () => Effect.succeed(null) })
    expect((await api.ask(path)).text).toContain('<meta name="frontdesk-sign-in" content="program"><script')
    await api.close()
  })

  it("has the URL at which the program signs people in, in the page without files as well (D-MEM-10)", async () => {
    const signInUrl = 'https://app.example.com/sign-in?from="desk"'
    const escaped = "https://app.example.com/sign-in?from=&quot;desk&quot;"
    const resolve = () => Effect.succeed(null)
    for (const [options, shown] of [
      [{ files }, `<meta name="frontdesk-sign-in-url" content="${escaped}">`],
      [{}, `<a href="${escaped}">Sign in</a>`]
    ] as const) {
      const { api, path } = await makeDashboard({ ...options, resolve, signInUrl })
      expect((await api.ask(path)).text).toContain(shown)
      await api.close()
    }
  })

  it("is not the URL of a program that leaves signing in to the dashboard", async () => {
    const { api, path } = await makeDashboard({ files, signInUrl: "/sign-in" })
    expect((await api.ask(path)).text).not.toContain("frontdesk-sign-in-url")
    await api.close()
  })

  it.each(["javascript:alert(1)", "//elsewhere.example.com", "/\\elsewhere.example.com", "sign-in", ""])(
    "is a defect with %j, where a link of the page must not lead",
    async (signInUrl) => {
      const making = makeDashboard({ files, resolve: () => Effect.succeed(null), signInUrl })
      await expect(making).rejects.toThrow("The dashboard cannot lead to")
    }
  )
})
