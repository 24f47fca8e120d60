import { effects } from "@frontdesk/core/access/OperationEffect"
import { MemberRole, permissionsOf } from "@frontdesk/core/access/MemberRole"
import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { absent, operations, requests } from "../operationRequests.ts"
import { endpoints } from "../operations/endpoints.ts"
import { refusal, textOf } from "../testApi.ts"
import { makeBrowser } from "./browser.ts"
import { type Dashboard, makeDashboard, signIn } from "./dashboard.ts"

/** Returns whether a person with the role may do the operation. */
const isAllowed = (role: MemberRole, operation: Operation): boolean =>
  permissionsOf(role).some((permission) => permission === permissions[operation]) &&
  (role !== "viewer" || effects[operation] === "read")

describe("the effect of an operation (D-MEM-2)", () => {
  it.each(operations)("%s is a read exactly when its method is GET", (operation) => {
    expect(effects[operation]).toBe(endpoints.get(operation)?.method === "GET" ? "read" : "change")
  })
})

describe("the roles of a dashboard (D-MEM-1, D-MEM-2)", () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await makeDashboard()
  })
  afterAll(() => dashboard.api.close())

  const filesIn = (folder: string) =>
    fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name)).toString("latin1"))

  it("a viewer gets no answer but a refusal to any change, and reads whatever does not manage keys and people", async () => {
    const { api, caller, link, path } = dashboard
    const browser = makeBrowser(api)
    await signIn(browser, await link({ role: "viewer", name: "Vera" }))
    const contact = await caller.post("/api/v1/contacts/create", { first_name: "Jo" })
    const agents = await caller.get("/api/v1/agents")
    const event = await caller.post("/api/v1/calendar/events/create", {
      title: "Visit",
      start_time: "2030-03-04T09:00:00Z",
      end_time: "2030-03-04T10:00:00Z"
    })
    const ids = { ...absent, contact: textOf(contact.json["id"]), event: textOf(event.json["id"]) }
    for (const operation of operations) {
      const { body, method, path: url } = requests[operation]({ ids, teams: [], n: 1, agent: 0 })
      const answer = await browser.ask(`${path}${url}`, { method, body })
      expect([operation, answer.status === 403]).toEqual([operation, !isAllowed("viewer", operation)])
      if (answer.status === 403) expect(answer.json).toEqual(refusal("permission_denied"))
    }
    expect((await caller.get(`/api/v1/contacts/${ids.contact}`)).json).toMatchObject({ first_name: "Jo", city: null })
    expect((await caller.get("/api/v1/agents")).json).toEqual(agents.json)
  })

  it.each(MemberRole.literals)(
    "a person with the role %s may do exactly what the permissions of the role state",
    async (role) => {
      const { api, link, path } = dashboard
      const browser = makeBrowser(api)
      await signIn(browser, await link({ role }))
      const { json } = await browser.get(`${path}/api/v1/caller`)
      expect(json).toMatchObject({
        permissions: permissionsOf(role),
        is_read_only: role === "viewer",
        person: { role, member_id: null, user_id: null, name: "" }
      })
      for (const operation of operations) {
        // Its own session must live until the last operation.
        if (operation === "sessions.deleteAll") continue
        const { body, method, path: url } = requests[operation]({ ids: absent, teams: [], n: 1, agent: 0 })
        const answer = await browser.ask(`${path}${url}`, { method, body })
        expect([operation, answer.status === 403]).toEqual([operation, !isAllowed(role, operation)])
      }
    }
  )

  it("an owner changes nothing where the dashboard is mounted read-only (D-MEM-10)", async () => {
    const { api, link, path } = await makeDashboard({ readOnly: true })
    const browser = makeBrowser(api)
    await signIn(browser, await link())
    expect((await browser.get(`${path}/api/v1/api-keys`)).status).toBe(200)
    const refused = await browser.post(`${path}/api/v1/contacts/create`, { first_name: "Jo" })
    expect([refused.status, refused.json]).toEqual([403, refusal("permission_denied")])
    expect((await browser.get(`${path}/api/v1/caller`)).json).toMatchObject({ is_read_only: true })
    await api.close()
  })

  it("no token of a link or a session is in a log line, a list, or the files of the database (D-MEM-5)", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-people-"))
    const lines: Array<string> = []
    const storage = Layer.orDie(SqliteStorage.layer({ filename: path.join(folder, "frontdesk.db") }))
    const {
      api,
      caller,
      link,
      path: mount
    } = await makeDashboard({
      storage: Layer.merge(
        storage,
        LogCapture.layer(({ json }) => void lines.push(json), "All")
      )
    })
    const browser = makeBrowser(api)
    const used = await link({ role: "owner", name: "Recognisable name" })
    const open = await link({ role: "owner" })
    await browser.get(used)
    await signIn(browser, used)
    await browser.post(used)
    const member = await browser.post(`${mount}/api/v1/members/create`, {
      email: "jo@example.com",
      name: "Jo",
      role: "viewer"
    })
    const issued = await browser.post(
      `${mount}/api/v1/dashboard/links`,
      { member_id: Number(member.json["id"]) },
      { "idempotency-key": "link" }
    )
    const replayed = await browser.post(
      `${mount}/api/v1/dashboard/links`,
      { member_id: Number(member.json["id"]) },
      { "idempotency-key": "link" }
    )
    expect(replayed.json).toMatchObject({ id: issued.json["id"], url: null })
    const lists = await Promise.all(
      ["sessions", "members", "dashboard/links", "caller", "caller/sessions"].flatMap((name) => [
        caller.get(`/api/v1/${name}`),
        browser.get(`${mount}/api/v1/${name}`)
      ])
    )
    const [log, database, answers] = [
      lines.join("\n"),
      filesIn(folder).join("\n"),
      lists.map(({ text }) => text).join("\n")
    ]
    expect(database).toContain("Recognisable name")
    expect(answers).toContain("Recognisable name")
    const tokens = [used, open, textOf(issued.json["url"]), ...browser.cookies.values()].map((text) => text.slice(-43))
    expect(new Set(tokens).size).toBe(4)
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect([log.includes(token), database.includes(token), answers.includes(token)]).toEqual([false, false, false])
    }
    await api.close()
    fs.rmSync(folder, { recursive: true })
  })
})
