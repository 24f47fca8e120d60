import { AccountId } from "@frontdesk/core/access/Account"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { refusal, rowsOf, storages, textOf } from "../testApi.ts"
import { type Browser, makeBrowser } from "./browser.ts"
import { makeDashboard, signIn } from "./dashboard.ts"

describe("the end of a session (D-MEM-7)", () => {
  it("acts with the next request on another node of PostgreSQL, for a removal, a role, a session and all of them", async () => {
    const scope = await Effect.runPromise(Scope.make())
    const url = await Effect.runPromise(Scope.provide(TestDatabase.withTables, scope))
    const storage = () => Layer.orDie(PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 2 }))
    const one = await makeDashboard({ storage: storage() })
    const two = await makeDashboard({ storage: storage() })
    const { caller, path } = one
    const member = async (role: string) => {
      const { json } = await caller.post("/api/v1/members/create", {
        email: `${crypto.randomUUID()}@example.com`,
        name: "Jo",
        role
      })
      const id = textOf(json["id"])
      const browser = makeBrowser(two.api)
      await signIn(browser, await one.link({ member_id: Number(id) }))
      return { browser, id }
    }
    const statusOf = async (browser: Browser, name = "caller") => (await browser.get(`${path}/api/v1/${name}`)).status

    const removed = await member("editor")
    expect(await statusOf(removed.browser)).toBe(200)
    await caller.delete(`/api/v1/members/${removed.id}/delete`)
    expect(await statusOf(removed.browser)).toBe(401)

    const lowered = await member("owner")
    expect(await statusOf(lowered.browser, "members")).toBe(200)
    await member("owner")
    await caller.patch(`/api/v1/members/${lowered.id}/update`, { role: "viewer" })
    expect([await statusOf(lowered.browser, "members"), await statusOf(lowered.browser)]).toEqual([403, 200])

    await caller.patch(`/api/v1/members/${lowered.id}/update`, { role: "editor" })
    expect(await statusOf(lowered.browser)).toBe(401)

    const ended = await member("viewer")
    const [session] = rowsOf(await caller.get(`/api/v1/sessions?member_id=${ended.id}`), "sessions")
    expect((await caller.delete(`/api/v1/sessions/${textOf(session?.["id"])}/delete`)).status).toBe(200)
    expect(await statusOf(ended.browser)).toBe(401)

    const [a, b] = [await member("viewer"), await member("viewer")]
    expect((await caller.post("/api/v1/sessions/delete", { member_id: Number(a.id) })).json).toMatchObject({
      deleted: 1
    })
    expect([await statusOf(a.browser), await statusOf(b.browser)]).toEqual([401, 200])
    await caller.post("/api/v1/sessions/delete", {})
    expect(await statusOf(b.browser)).toBe(401)
    await Promise.all([one.api.close(), two.api.close()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("everywhere signs a member out on every device, and a person without a member on this one", async () => {
    const { api, caller, link, path } = await makeDashboard()
    const { json } = await caller.post("/api/v1/members/create", {
      email: "jo@example.com",
      name: "Jo",
      role: "viewer"
    })
    const enter = async (body: unknown) => {
      const browser = makeBrowser(api)
      await signIn(browser, await link(body))
      return browser
    }
    const members = [await enter({ member_id: Number(json["id"]) }), await enter({ member_id: Number(json["id"]) })]
    const guests = [await enter({ role: "viewer" }), await enter({ role: "viewer" })]
    const own = await members[0]?.get(`${path}/api/v1/caller/sessions`)
    expect(own?.json).toMatchObject({ count: 2, sessions: [{ is_current: false }, { is_current: true }] })
    expect((await guests[0]?.get(`${path}/api/v1/caller/sessions`))?.json).toMatchObject({ count: 1 })
    const open = await link({ member_id: Number(json["id"]) })
    await members[0]?.post(`${path}/sign-out/everywhere`)
    await guests[0]?.post(`${path}/sign-out/everywhere`)
    const statuses = await Promise.all(
      [...members, ...guests].map(async (browser) => (await browser.get(`${path}/api/v1/caller`)).status)
    )
    expect(statuses).toEqual([401, 401, 401, 200])
    // Another person may have the open link of the member.
    expect((await makeBrowser(api).post(open)).status).toBe(400)
    expect((await caller.get("/api/v1/caller/sessions")).json).toEqual({ count: 0, sessions: [] })
    await api.close()
  })
})

describe.each(storages)("the end of several sessions (D-MEM-7), on %s", (storage) => {
  it("ends none for a misspelled field, which is 400, and for an unknown member, which is 404", async () => {
    const { api, caller, link, path } = await makeDashboard({ storage })
    const browser = makeBrowser(api)
    await signIn(browser, await link())
    const end = (body: unknown) => caller.post("/api/v1/sessions/delete", body)
    const misspelled = await end({ memberId: 1 })
    expect([misspelled.status, misspelled.json]).toEqual([400, refusal("validation_error", "memberId")])
    expect((await end({ member: null })).json).toEqual(refusal("validation_error", "member"))
    expect((await end({ constructor: 1 })).json).toEqual(refusal("validation_error", "constructor"))
    const many = await end(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1])))
    expect(many.json["details"]).toHaveLength(100)
    const other = await api.caller()
    const { json } = await other.post("/api/v1/members/create", { email: "jo@example.com", name: "Jo", role: "viewer" })
    for (const member_id of [9_007_199_254_740_991, json["id"]]) {
      const unknown = await end({ member_id })
      expect([unknown.status, unknown.json]).toEqual([404, refusal("not_found")])
    }
    expect((await browser.get(`${path}/api/v1/caller`)).status).toBe(200)
    expect((await end({})).json).toMatchObject({ deleted: 1 })
    expect((await browser.get(`${path}/api/v1/caller`)).status).toBe(401)
    await api.close()
  })
})

describe.each(storages)("a role with more permissions (D-MEM-7), on %s", (storage) => {
  it("ends the sessions and the open links of the member, and the audit log shows the sessions", async () => {
    const { api, caller, link, path } = await makeDashboard({ storage })
    const created = await caller.post("/api/v1/members/create", {
      email: "jo@example.com",
      name: "Jo",
      role: "viewer"
    })
    const id = Number(created.json["id"])
    const browser = makeBrowser(api)
    await signIn(browser, await link({ member_id: id }))
    const open = await link({ member_id: id })
    await caller.patch(`/api/v1/members/${id}/update`, { role: "editor" })
    expect((await browser.get(`${path}/api/v1/caller`)).status).toBe(401)
    expect((await makeBrowser(api).post(open)).status).toBe(400)
    const ends = await caller.get("/api/v1/audit?operation=sessions.deleteAll")
    expect(ends.json["entries"]).toMatchObject([
      {
        actor: { type: "api_key" },
        changes: [
          { field: "sessions", after: 1 },
          { field: "member_id", after: id }
        ]
      }
    ])
    await api.close()
  })
})

describe("the rate limit of a dashboard", () => {
  it("has a bucket for each session, and one for each address of requests without a session (D-RATE-4)", async () => {
    const limiter = RateLimiter.layerTokenBucket({ requests: 6, window: Duration.minutes(10) })
    const { api, link, path } = await makeDashboard({ limiter })
    const [a, b] = [makeBrowser(api), makeBrowser(api)]
    await signIn(a, await link())
    await signIn(b, await link())
    const statuses: Array<number> = []
    for (let index = 0; index < 7; index++) statuses.push((await a.get(`${path}/api/v1/caller`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect((await b.get(`${path}/api/v1/caller`)).status).toBe(200)
    const without: Array<number> = []
    for (let index = 0; index < 5; index++) without.push((await api.ask(`${path}/api/v1/caller`)).status)
    // Two of the six were taken by the sign-ins from this address.
    expect(without).toEqual([401, 401, 401, 401, 429])
    await api.close()
  })
})

describe("a dashboard whose program finds the user (D-MEM-10)", () => {
  it("has no links and no sessions, and acts for the account, the role and the user of the program", async () => {
    const accounts: Array<number> = []
    const { api, caller, link, path } = await makeDashboard({
      resolve: ({ headers }) =>
        Effect.succeed(
          headers["x-user"] === undefined
            ? null
            : {
                accountId: AccountId.make(accounts[0] ?? 0),
                role: headers["x-user"] === "ada" ? "owner" : "viewer",
                userId: headers["x-user"],
                name: headers["x-user"]
              }
        )
    })
    accounts.push(caller.account.id)
    const browser = makeBrowser(api)
    const as = (user: string) => ({ "x-user": user })
    expect((await browser.get(`${path}/api/v1/caller`, as("ada"))).json).toMatchObject({
      account_id: caller.account.id,
      person: { member_id: null, session_id: null, user_id: "ada", name: "ada", role: "owner" }
    })
    expect((await browser.post(`${path}/api/v1/contacts/create`, { first_name: "Jo" }, as("ada"))).status).toBe(201)
    expect((await browser.post(`${path}/api/v1/contacts/create`, { first_name: "Jo" }, as("bob"))).status).toBe(403)
    const crossSite = { ...as("ada"), "sec-fetch-site": "cross-site" }
    expect((await browser.post(`${path}/api/v1/contacts/create`, {}, crossSite)).json).toEqual(
      refusal("cross_site_request")
    )
    expect((await browser.get(`${path}/api/v1/caller`)).json).toEqual(refusal("authentication_required"))
    expect((await browser.post(await link())).status).toBe(404)
    expect((await browser.post(`${path}/sign-out`)).status).toBe(404)
    expect((await browser.get(path, as("ada"))).text).toContain("Signed in as <bdi>ada</bdi> (owner)")
    expect((await browser.get(path)).status).toBe(401)
    await api.close()
  })
})
