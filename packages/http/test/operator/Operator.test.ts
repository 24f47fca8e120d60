import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { permissions } from "@frontdesk/core/access/Permission"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { absent, operations, requests } from "../operationRequests.ts"
import { type Caller, refusal, storages, textOf } from "../testApi.ts"
import { type Browser, makeBrowser } from "../dashboard/browser.ts"
import { type Dashboard, makeDashboard, origin, signIn } from "../dashboard/dashboard.ts"
import { operatorOf } from "./operatorOf.ts"

const ofOperator = operations.filter((name) => permissions[name] === "can_operate")

describe.each(storages)("the operator (D-OP-1 to D-OP-4), on %s", (storage) => {
  let dashboard: Dashboard
  let operator: Browser
  let other: Caller
  const api = (path: string) => `${dashboard.path}/api/v1${path}`

  beforeAll(async () => {
    dashboard = await makeDashboard({ storage })
    operator = await operatorOf(dashboard)
    other = await dashboard.api.caller({ balance: 5 })
  })
  afterAll(() => dashboard.api.close())

  it("has can_operate besides the permissions of an owner, and the session says so", async () => {
    const { json } = await operator.get(api("/caller"))
    expect(json["permissions"]).toContain("can_operate")
    expect(json).toMatchObject({ is_read_only: false, person: { role: "owner", name: "Olga", member_id: null } })
    const sessions = await operator.get(api("/sessions"))
    expect(sessions.json).toMatchObject({ sessions: [{ name: "Olga", is_operator: true }] })
  })

  it("every other person and every key gets 403 for every operation of the operator", async () => {
    const callers: Array<[string, (path: string, asked: object) => ReturnType<Caller["ask"]>]> = [
      ["a key with all permissions", other.ask],
      ["a key of the operator's account", dashboard.caller.ask]
    ]
    for (const role of MemberRole.literals) {
      const browser = makeBrowser(dashboard.api)
      await signIn(browser, await dashboard.link({ role }))
      callers.push([role, (path, asked) => browser.ask(`${dashboard.path}${path}`, asked)])
    }
    expect(ofOperator).toHaveLength(7)
    for (const [name, ask] of callers) {
      for (const operation of ofOperator) {
        const { body, method, path } = requests[operation]({ ids: absent, teams: [], n: 1, agent: 0 })
        const answer = await ask(path, { method, body })
        expect([name, operation, answer.status, answer.json]).toEqual([
          name,
          operation,
          403,
          refusal("permission_denied")
        ])
      }
    }
  })

  it("no key and no link of the API can be given can_operate", async () => {
    const key = await operator.post(api("/api-keys/create"), { name: "k", permissions: ["can_operate"] })
    expect([key.status, key.json["error"]]).toEqual([400, "validation_error"])
    const link = await operator.post(api("/dashboard/links"), { role: "owner", is_operator: true, name: "Eve" })
    const browser = makeBrowser(dashboard.api)
    await signIn(browser, textOf(link.json["url"]).slice(origin.length))
    expect((await browser.get(api("/caller"))).json["permissions"]).not.toContain("can_operate")
  })

  it("lists all accounts with their balance, and finds them by a part of the name or by id", async () => {
    const named = await other.patch("/api/v1/account/update", { name: "Smile Dental" })
    expect(named.status).toBe(200)
    const all = await operator.get(api("/operator/accounts"))
    expect(all.json).toMatchObject({ count: 2, count_is_capped: false })
    for (const search of ["smile d", String(other.account.id)]) {
      const found = await operator.get(api(`/operator/accounts?search=${encodeURIComponent(search)}`))
      expect(found.json).toMatchObject({
        count: 1,
        accounts: [{ id: other.account.id, name: "Smile Dental", balance: 5, deposits: 5, reservations: 0 }]
      })
    }
    expect((await operator.get(api("/operator/accounts?search=unknown"))).json).toMatchObject({
      count: 0,
      accounts: []
    })
    expect((await operator.get(api("/operator/accounts?page=2&limit=1"))).json["accounts"]).toHaveLength(1)
  })

  it("deposits once for one Idempotency-Key, and the account's audit log names the operator", async () => {
    const { account } = await dashboard.api.caller()
    const deposit = (body: unknown, key: string) =>
      operator.post(api(`/operator/accounts/${account.id}/deposits`), body, { "idempotency-key": key })
    const made = await deposit({ amount: 12.5 }, "one")
    expect([made.status, made.json]).toEqual([201, expect.objectContaining({ amount: 12.5, balance: 12.5 })])
    expect((await deposit({ amount: 12.5 }, "one")).headers.get("idempotent-replayed")).toBe("true")
    for (const amount of [0, -1, 0.0000001, "5"]) expect((await deposit({ amount }, `${amount}`)).status).toBe(400)
    const entries = await dashboard.api.run(allEntriesOf(account.id))
    const deposits = entries.filter(({ operation }) => operation === "funds.deposit")
    expect(deposits).toMatchObject([
      {
        actor: { type: "operator" },
        requestId: made.headers.get("x-request-id"),
        changes: [{ field: "amount", after: 12.5 }]
      }
    ])
    const session = Number(deposits[0]?.actor.id?.replace("session:", ""))
    expect((await operator.get(api("/caller"))).json).toMatchObject({ person: { session_id: session } })
    const unknown = await operator.post(api("/operator/accounts/9007199254740991/deposits"), { amount: 1 })
    expect([unknown.status, unknown.json["error"]]).toEqual([404, "not_found"])
  })

  it("deposits once for one Idempotency-Key that is used while signed in to two accounts (D-IDEM-2)", async () => {
    const { account } = await dashboard.api.caller()
    const elsewhere = await operatorOf({ ...dashboard, caller: other })
    const deposit = (browser: Browser, id: number | string, amount = 3) =>
      browser.post(api(`/operator/accounts/${id}/deposits`), { amount }, { "idempotency-key": "shared" })
    const made = await deposit(operator, account.id)
    const repeated = await deposit(elsewhere, account.id)
    expect([repeated.status, repeated.text]).toEqual([201, made.text])
    expect(repeated.headers.get("idempotent-replayed")).toBe("true")
    expect((await deposit(elsewhere, account.id, 4)).json).toEqual(refusal("idempotency_key_reuse"))
    const further = await deposit(elsewhere, other.account.id)
    expect([further.status, further.headers.get("idempotent-replayed")]).toEqual([201, null])
    for (const id of [9_007_199_254_740_991, "9999999999999999"]) {
      const unknown = await deposit(operator, id)
      expect([unknown.status, unknown.json]).toEqual([404, refusal("not_found")])
    }
  })

  it("counts what waits, and states nothing of a program that states nothing", async () => {
    expect((await operator.get(api("/operator/backlog"))).json).toEqual({
      waiting_tasks: { count: 0, is_capped: false },
      dead_lettered_tasks: { count: 0, is_capped: false },
      dead_lettered_by_kind: { mail: 0, calendar: 0, sign_in: 0 },
      waiting_deliveries: { count: 0, is_capped: false }
    })
    expect((await operator.get(api("/operator/installation"))).json).toEqual({
      version: null,
      runtime: null,
      database: null,
      schema: null,
      node: null,
      workers: [],
      nodes: []
    })
  })
})

describe("the operator of a dashboard that only reads, or of a program", () => {
  it("reads the accounts and makes no deposit where the dashboard is mounted read-only (D-MEM-2)", async () => {
    const dashboard = await makeDashboard({ readOnly: true })
    const operator = await operatorOf(dashboard)
    const accounts = `${dashboard.path}/api/v1/operator/accounts`
    expect((await operator.get(accounts)).json).toMatchObject({ count: 1 })
    const refused = await operator.post(`${accounts}/${dashboard.caller.account.id}/deposits`, { amount: 1 })
    expect([refused.status, refused.json]).toEqual([403, refusal("permission_denied")])
    await dashboard.api.close()
  })

  it("is the user of a program with isOperator, and no other user", async () => {
    let isOperator: boolean | undefined = true
    const dashboard: Dashboard = await makeDashboard({
      resolve: () => Effect.sync(() => ({ accountId: dashboard.caller.account.id, role: "owner" as const, isOperator }))
    })
    const browser = makeBrowser(dashboard.api)
    const statusOf = async () => (await browser.get(`${dashboard.path}/api/v1/operator/accounts`)).status
    expect(await statusOf()).toBe(200)
    isOperator = false
    expect(await statusOf()).toBe(403)
    isOperator = undefined
    expect(await statusOf()).toBe(403)
    await dashboard.api.close()
  })
})
