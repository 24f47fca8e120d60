import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aNumber,
  aText,
  aTime,
  type Caller,
  idOf,
  makeTestApi,
  refusal,
  rowsOf,
  storages,
  type TestApi,
  textOf
} from "../testApi.ts"

const path = "/api/v1/audit"

describe.each(storages)("the audit log over the API, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  let contact = 0
  beforeAll(async () => {
    api = await makeTestApi(storage, { trustedProxies: 1 })
    caller = await api.caller()
    contact = idOf(await caller.post("/api/v1/contacts/create", { first_name: "Jo", status: "won" }))
    await caller.patch(`/api/v1/contacts/${contact}/update`, { stage: "lost", first_name: "Zoe" })
    await caller.post("/api/v1/webhooks/create", {
      name: "Hook",
      url: "https://hooks.example.com/secret",
      subscribed_events: ["call.ended"]
    })
  })
  afterAll(() => api.close())

  const operations = async (query: string, by: Caller = caller) =>
    rowsOf(await by.get(`${path}?${query}`), "entries").map(({ operation }) => operation)

  it("an entry has the actor, the request, the address, the record and the changed fields (D-AUD-1, D-AUD-4, D-AUD-11)", async () => {
    const change = { stage: "lead", last_name: "Doe" }
    const headers = { "x-forwarded-for": "198.51.100.1, 203.0.113.7" }
    const answer = await caller.patch(`/api/v1/contacts/${contact}/update`, change, headers)
    const { json, status } = await caller.get(`${path}?limit=1`)
    expect(status).toBe(200)
    expect(json).toEqual({
      entries: [
        {
          id: aNumber,
          at: aTime,
          actor: { type: "api_key", id: aText },
          request_id: answer.headers.get("x-request-id"),
          client_address: "203.0.113.7",
          operation: "contacts.patch",
          entity: { type: "contact", id: String(contact) },
          changes: [{ field: "last_name" }, { field: "stage", before: "lost", after: "lead" }],
          unlisted_changes: 0,
          cursor: aText
        }
      ],
      next_cursor: aText
    })
  })

  it("a PATCH without a difference, a refused request and a replay write no entry (D-AUD-5)", async () => {
    const count = async () => (await operations("limit=500")).length
    const body = { first_name: "Al" }
    const create = () => caller.post("/api/v1/contacts/create", body, { "idempotency-key": `key-${storage}` })
    await create()
    const before = await count()
    expect((await create()).headers.get("idempotent-replayed")).toBe("true")
    await caller.patch(`/api/v1/contacts/${contact}/update`, {})
    expect((await caller.patch(`/api/v1/contacts/${contact}/update`, { status: 7 })).status).toBe(400)
    expect((await caller.delete("/api/v1/contacts/999999/delete")).status).toBe(404)
    expect(await count()).toBe(before)
  })

  it("the list is filtered by actor, by operation, by record and by day", async () => {
    const record = `entity_type=contact&entity_id=${contact}`
    expect((await operations(record)).at(-1)).toBe("contacts.create")
    expect(new Set(await operations(record))).toEqual(new Set(["contacts.create", "contacts.patch"]))
    expect(await operations(`${record}&operation=contacts.create`)).toEqual(["contacts.create"])
    expect(await operations("operation=webhooks.create&actor_type=api_key")).toEqual(["webhooks.create"])
    expect(await operations("actor_type=command_line")).toEqual([])
    expect(await operations("actor_type=program&operation=accounts.create")).toEqual(["accounts.create"])
    expect(await operations("end_date=2000-01-01")).toEqual([])
    expect((await operations("start_date=2000-01-01")).length).toBeGreaterThan(3)
  })

  it("pages and the export have each entry once, newest first (D-AUD-8)", async () => {
    const all = rowsOf(await caller.get(`${path}?limit=500`), "entries")
    const found: Array<unknown> = []
    let query = "limit=2"
    while (query !== "") {
      const page = await caller.get(`${path}?${query}`)
      found.push(...rowsOf(page, "entries"))
      const next = textOf(page.json["next_cursor"] ?? undefined)
      query = next === "" ? "" : `limit=2&cursor=${next}`
    }
    expect(found).toEqual(all)
    const lines = (text: string) =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line))
    const exported = await caller.get(`${path}/export`)
    expect(exported.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8")
    expect(lines(exported.text)).toEqual(all)
    const part = lines((await caller.get(`${path}/export?limit=2`)).text)
    expect(part).toEqual(all.slice(0, 2))
    const rest = await caller.get(`${path}/export?cursor=${textOf(all[1]?.["cursor"])}`)
    expect(lines(rest.text)).toEqual(all.slice(2))
    expect((await caller.get(`${path}/export?cursor=${textOf(all.at(-1)?.["cursor"])}`)).text).toBe("")
  })

  it("a key without can_read_audit gets 403, and another account sees nothing of it", async () => {
    const others = await api.caller({ permissions: ["can_read_audit"] })
    expect(await operations(`entity_type=contact&entity_id=${contact}`, others)).toEqual([])
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_account", "can_read_contacts"] })
    for (const one of [path, `${path}/export`]) expect((await reader.get(one)).status).toBe(403)
  })

  it.each([
    ["actor_id=1", "actor_type"],
    ["entity_id=1", "entity_type"],
    ["actor_type=user", "actor_type"],
    ["operation=contacts", "operation"],
    ["limit=501", "limit"],
    ["limit=0", "limit"],
    ["cursor=x", "cursor"],
    ["start_date=2026-03-02&end_date=2026-03-01", "end_date"]
  ])("the query %s gets 400 for %s", async (query, field) => {
    for (const one of [path, `${path}/export`]) {
      const answer = await caller.get(`${one}?${query}`)
      expect([query, answer.status, answer.json]).toEqual([query, 400, refusal("invalid_parameter", field)])
    }
  })
})
