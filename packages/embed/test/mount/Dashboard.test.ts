import type { DashboardOptions, Frontdesk } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { silent, withFrontdesk } from "../opened.ts"

const origin = "https://app.example.com"

/** Runs a test with a fetch handler that serves the dashboard below `/voice/desk`. */
const withDashboard = (
  options: Partial<DashboardOptions>,
  test: (frontdesk: Frontdesk, ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>
) =>
  withFrontdesk(
    (frontdesk) => {
      const handle = frontdesk.fetch({ basePath: "/voice", dashboard: { path: "/desk", ...options } })
      return test(frontdesk, (path, init) => handle(new Request(`${origin}${path}`, { redirect: "manual", ...init })))
    },
    { logger: silent, dashboardUrl: `${origin}/voice/desk` }
  )

/** Returns a function of a program without types. */
const untyped = (resolve: () => unknown): NonNullable<DashboardOptions["resolve"]> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A program in JavaScript may return anything.
  resolve as NonNullable<DashboardOptions["resolve"]>

const headers = { origin, "sec-fetch-site": "same-origin" }

describe("a mount with a dashboard", () => {
  it("signs a user of the program in with a link that the program has made (D-MEM-5)", () =>
    withDashboard({}, async (frontdesk, ask) => {
      const acme = frontdesk.as("acme")
      const { link, token } = await acme.signInLinks.create({ role: "editor", name: "Ada", userId: "user 7" })
      expect(link).toMatchObject({ memberId: null, userId: "user 7", role: "editor" })
      const entered = await ask(`/voice/desk/sign-in/${token}`, { method: "POST", headers })
      expect([entered.status, entered.headers.get("location")]).toEqual([303, "/voice/desk"])
      const cookie = entered.headers.getSetCookie()[0] ?? ""
      expect(cookie).toMatch(/^__Host-fd_[0-9a-f]{16}=/)
      const caller = await ask("/voice/desk/api/v1/caller", { headers: { cookie: cookie.split(";")[0] ?? "" } })
      expect(await caller.json()).toMatchObject({ person: { user_id: "user 7", role: "editor" } })
      expect((await acme.sessions.list()).items).toMatchObject([{ userId: "user 7", name: "Ada" }])
      expect(await acme.sessions.own()).toEqual([])
    }))

  it("finds the users of the program with resolve, which receives the request of the framework (D-MEM-10)", () =>
    withDashboard(
      {
        resolve: (request) =>
          request.headers.get("x-user") === null
            ? null
            : { accountId: "acme", role: "viewer", userId: request.headers.get("x-user") ?? "" }
      },
      async (_frontdesk, ask) => {
        expect((await ask("/voice/desk/api/v1/caller")).status).toBe(401)
        const caller = await ask("/voice/desk/api/v1/caller", { headers: { "x-user": "ada" } })
        expect(await caller.json()).toMatchObject({ person: { user_id: "ada", role: "viewer" }, is_read_only: true })
        const body = JSON.stringify({ first_name: "Jo" })
        const change = await ask("/voice/desk/api/v1/contacts/create", {
          method: "POST",
          body,
          headers: { ...headers, "x-user": "ada", "content-type": "application/json" }
        })
        expect(change.status).toBe(403)
      }
    ))

  it("leads a person without a user to the sign-in of the program", () =>
    withDashboard({ resolve: () => null, signInUrl: "/sign-in" }, async (_frontdesk, ask) => {
      const page = await ask("/voice/desk")
      expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('<a href="/sign-in">Sign in</a>')])
    }))

  it("answers 500 when resolve throws, or finds a role or an account that does not exist", async () => {
    const wrong: ReadonlyArray<NonNullable<DashboardOptions["resolve"]>> = [
      () => {
        throw new Error("no database")
      },
      untyped(() => ({ accountId: "acme", role: "admin" })),
      untyped(() => ({ accountId: "acme" })),
      () => ({ accountId: "nobody", role: "viewer" })
    ]
    for (const resolve of wrong)
      await withDashboard({ resolve }, async (_frontdesk, ask) => {
        expect((await ask("/voice/desk/api/v1/caller")).status).toBe(500)
      })
  })

  it("throws for a path or an origin that is invalid", () =>
    withFrontdesk((frontdesk) => {
      for (const dashboard of [
        { path: "/" },
        { path: "desk" },
        { path: "/desk/" },
        { path: "/desk", origin: "app.example.com" },
        { path: "/desk", signInUrl: "javascript:alert(1)" }
      ])
        expect(() => frontdesk.fetch({ dashboard })).toThrow(/dashboard/)
      return Promise.resolve()
    }))
})
