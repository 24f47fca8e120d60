import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusal, rowsOf, storages, textOf } from "../testApi.ts"
import { makeBrowser } from "./browser.ts"
import { type Dashboard, makeDashboard, origin, signIn } from "./dashboard.ts"

describe.each([
  { base: "", mount: "/dashboard" as const },
  { base: "", mount: "/voice/desk" as const },
  { base: "/voice", mount: "/dashboard" as const }
])("a dashboard at $base$mount", ({ base, mount }) => {
  it("shows a button for a link, signs in with an empty POST, serves its API, and signs out (D-MEM-5, D-MEM-10)", async () => {
    const { api, caller, link, path } = await makeDashboard({ base, mount })
    const browser = makeBrowser(api)
    const url = await link()
    expect(url.startsWith(`${path}/sign-in/`)).toBe(true)

    for (let repeat = 0; repeat < 2; repeat++) {
      const shown = await browser.get(url)
      expect(shown.status).toBe(200)
      expect(shown.text).toContain('<form method="post"><button>Sign in</button></form>')
      expect(shown.headers.getSetCookie()).toEqual([])
      // The policy allows the style of the page by its digest, and nothing else.
      const [, style = ""] = /<style>(.*?)<\/style>/.exec(shown.text) ?? []
      const digest = createHash("sha256").update(style).digest("base64")
      expect(shown.headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
      )
      expect(shown.headers.get("cache-control")).toBe("no-store")
      expect(shown.headers.get("referrer-policy")).toBe("strict-origin")
      expect(shown.text).not.toMatch(/<script|style=|src=| on\w+=/)
    }
    expect((await browser.get(path)).status).toBe(401)

    const entered = await signIn(browser, url)
    expect(entered.headers.get("location")).toBe(path)
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`Signed in as <bdi>Ada</bdi> (owner) of <bdi>Acme</bdi>.`)
    expect(page.text).toContain(`<code>${path}/api/v1</code>`)
    const { json } = await browser.get(`${path}/api/v1/caller`)
    expect(json).toMatchObject({ account_id: caller.account.id, api_key_id: null, is_read_only: false })
    expect((await browser.post(`${path}/api/v1/contacts/create`, { first_name: "Jo" })).status).toBe(201)

    const left = await browser.post(`${path}/sign-out`)
    expect([left.status, left.headers.get("location"), browser.cookies.size]).toEqual([303, path, 0])
    expect((await browser.get(`${path}/api/v1/caller`)).status).toBe(401)

    // The person is the actor of all of it, in the request that has done it (D-AUD-2).
    const log = rowsOf(await caller.get("/api/v1/audit?actor_type=person"), "entries")
    expect(log.map(({ operation, request_id }) => [operation, request_id])).toEqual([
      ["sessions.end", left.headers.get("x-request-id")],
      ["contacts.create", expect.any(String)],
      ["sessions.start", entered.headers.get("x-request-id")]
    ])
    await api.close()
  })
})

describe("the cookie of a session (D-MEM-10)", () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await makeDashboard()
  })
  afterAll(() => dashboard.api.close())

  it("is __Host-, secure and for the whole host over https", async () => {
    const { api, link } = dashboard
    const [cookie = ""] = (await signIn(makeBrowser(api), await link())).headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-fd_[0-9a-f]{16}=[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Lax$/
    )
  })

  it("is for the path of the dashboard over http, and has another name for another port and another mount", async () => {
    const names: Array<string> = []
    for (const { at, mount } of [
      { at: "http://127.0.0.1:8787", mount: "/dashboard" as const },
      { at: "http://127.0.0.1:8788", mount: "/dashboard" as const },
      { at: "http://127.0.0.1:8787", mount: "/desk" as const }
    ]) {
      const { api, link } = await makeDashboard({ at, mount })
      const browser = makeBrowser(api, { origin: at })
      const [cookie = ""] = (await signIn(browser, await link())).headers.getSetCookie()
      const [, name = ""] = /^(fd_[0-9a-f]{16})=/.exec(cookie) ?? []
      expect(cookie.slice(name.length)).toMatch(
        new RegExp(`^=[\\w-]{43}; Max-Age=604800; Path=${mount}; HttpOnly; SameSite=Lax$`)
      )
      names.push(name)
      await api.close()
    }
    expect(new Set(names).size).toBe(3)
  })

  it("is replaced at each sign-in, and the previous token stops working", async () => {
    const { api, link, path } = dashboard
    const browser = makeBrowser(api)
    await signIn(browser, await link())
    const cookie = browser.cookie()
    await signIn(browser, await link())
    expect(browser.cookie()).not.toBe(cookie)
    expect((await browser.get(`${path}/api/v1/caller`)).status).toBe(200)
    expect((await api.ask(`${path}/api/v1/caller`, { headers: { cookie } })).status).toBe(401)
  })
})

describe("a sign-in link", () => {
  it.each(storages)("signs in one of ten browsers that use it at the same time, on %s (D-MEM-5)", async (storage) => {
    const { api, link } = await makeDashboard({ storage })
    const url = await link()
    const browsers = Array.from({ length: 10 }, () => makeBrowser(api))
    const answers = await Promise.all(browsers.map((browser) => browser.post(url)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9)
    expect(browsers.filter(({ cookies }) => cookies.size > 0)).toHaveLength(1)
    await api.close()
  })

  it("gets the same answer whether it was used, deleted, changed or never made, and sets no cookie", async () => {
    const { api, caller, link, path } = await makeDashboard()
    const used = await link()
    await signIn(makeBrowser(api), used)
    const deleted = await link()
    const [open] = rowsOf(await caller.get("/api/v1/dashboard/links"), "links")
    const id = textOf(open?.["id"])
    expect((await caller.delete(`/api/v1/dashboard/links/${id}/delete`)).status).toBe(200)
    const changed = `${(await link()).slice(0, -1)}_`
    const texts = new Set<string>()
    for (const url of [used, deleted, changed, `${path}/sign-in/x`, `${path}/sign-in/${"a".repeat(5_000)}`]) {
      const answer = await makeBrowser(api).post(url)
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
      texts.add(answer.text)
    }
    expect(texts.size).toBe(1)
    await api.close()
  })
})

describe("a change from another site (D-MEM-11)", () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await makeDashboard()
  })
  afterAll(() => dashboard.api.close())

  it.each([
    { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": "same-site", origin: "https://other.example.com" },
    { "sec-fetch-site": "none", origin },
    { "sec-fetch-site": "cross-site", origin },
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    { origin: "https://evil.example" },
    { origin: "http://desk.example.com" },
    { origin: "null" },
    {}
  ])("is refused with the headers %j, at the API, at a link and at the sign-out", async (headers) => {
    const { api, link, path } = dashboard
    const browser = makeBrowser(api)
    await signIn(browser, await link())
    const post = (url: string, body?: unknown) =>
      api.ask(url, { method: "POST", body, headers: { cookie: browser.cookie(), ...headers } })
    const created = await post(`${path}/api/v1/contacts/create`, { first_name: "Jo" })
    expect([created.status, created.json]).toEqual([403, refusal("cross_site_request")])
    const url = await link()
    for (const target of [url, `${path}/sign-out`, `${path}/sign-out/everywhere`]) {
      const answer = await post(target)
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
    }
    expect((await browser.get(`${path}/api/v1/contacts`)).json).toMatchObject({ count: 0 })
    await signIn(makeBrowser(api), url)
  })

  it.each([
    { "sec-fetch-site": "same-origin", origin },
    { "sec-fetch-site": "same-origin", origin: "null" },
    { "sec-fetch-site": "same-origin" },
    { origin }
  ])("passes with the headers %j, which a page of the dashboard has", async (headers) => {
    const { api, link } = dashboard
    expect((await api.ask(await link(), { method: "POST", headers })).status).toBe(303)
  })
})

describe("the API of the dashboard", () => {
  it("accepts no API key, and the API outside of it accepts no session (D-MEM-10)", async () => {
    const { api, caller, link, path } = await makeDashboard()
    const browser = makeBrowser(api)
    await signIn(browser, await link())
    const bearer = { authorization: `Bearer ${caller.key}` }
    for (const answer of [
      await api.ask(`${path}/api/v1/caller`, { headers: bearer }),
      await browser.get(`${path}/api/v1/caller`, bearer),
      await api.ask(`${path}/api/v1/caller`)
    ]) {
      expect([answer.status, answer.json]).toEqual([401, refusal("invalid_session")])
    }
    const outside = await browser.get("/api/v1/caller")
    expect([outside.status, outside.json]).toEqual([401, refusal("authentication_required")])
    expect((await browser.get(`${path}/api/v1/nothing`)).status).toBe(404)
    expect((await browser.get(`${path}/docs`)).status).toBe(404)
    await api.close()
  })
})
