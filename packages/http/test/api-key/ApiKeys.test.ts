import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aNumber,
  aText,
  aTime,
  type Caller,
  idOf,
  like,
  makeTestApi,
  refusal,
  rowsOf,
  storages,
  type TestAnswer,
  type TestApi,
  textOf
} from "../testApi.ts"

const base = "/api/v1/api-keys"

const shape = {
  id: aNumber,
  name: "Website",
  permissions: ["can_read_calendar", "can_write_calendar"],
  prefix: like(/^fd_live_.{4}$/),
  status: "active",
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  previous_expires_at: null,
  created_at: aTime
}

const body = { name: "Website", permissions: shape.permissions }

describe.each(storages)("API keys, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const create = (fields: object = {}, by: Caller = caller) => by.post(`${base}/create`, { ...body, ...fields })

  const withValue =
    (value: unknown) =>
    (path: string, method = "GET", sent?: unknown) =>
      api.ask(path, { method, body: sent, headers: { authorization: `Bearer ${String(value)}` } })

  const statusWith = async (value: unknown) => (await withValue(value)("/api/v1/calendar/events")).status

  it("create returns 201 with the key, its value and a message, and the value works (D-KEY-4, D-KEY-15)", async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ ...shape, value: like(/^fd_live_[A-Za-z0-9_-]{43}$/), message: aText })
    expect(await statusWith(answer.json["value"])).toBe(200)
    expect((await create({ mode: "test" })).json["value"]).toMatch(/^fd_test_/)
  })

  it("create ignores a value in the body, because values are always generated (D-KEY-15)", async () => {
    const value = `fd_live_${"x".repeat(43)}`
    const answer = await create({ value })
    expect(answer.status).toBe(201)
    expect(answer.json["value"]).not.toBe(value)
    expect(await statusWith(value)).toBe(401)
  })

  it("list returns the keys of the account, oldest first, and get returns one of them", async () => {
    const fresh = await api.caller()
    const made = [idOf(await create({}, fresh)), idOf(await create({}, fresh))]
    const listed = await fresh.get(base)
    expect(listed.json["count"]).toBe(3)
    expect(rowsOf(listed, "api_keys").map(({ id }) => id)).toEqual([aNumber, ...made])
    expect(rowsOf(listed, "api_keys").at(-1)).toEqual({ ...shape, id: made[1] })
    expect((await fresh.get(`${base}/${String(made[1])}`)).json).toEqual({ ...shape, id: made[1] })
  })

  it.each([
    ["name", "", "validation_error"],
    ["name", null, "missing_parameter"],
    ["permissions", "*", "validation_error"],
    ["permissions", ["*"], "validation_error"],
    ["permissions", ["can_fly"], "validation_error"],
    ["permissions", Array.from({ length: 101 }, () => "can_read_calls"), "validation_error"],
    ["expires_at", "tomorrow", "validation_error"],
    ["expires_at", "2020-01-01T00:00:00Z", "validation_error"],
    ["expires_at", 5, "validation_error"],
    ["mode", "prod", "validation_error"]
  ])("create with %s = %j gets 400 %s", async (field, value, code) => {
    const answer = await create({ [field]: value })
    expect([answer.status, answer.json["error"]]).toEqual([400, code])
    expect(JSON.stringify(answer.json["details"])).toContain(`"${field}`)
  })

  it("create without name and permissions names both", async () => {
    expect((await caller.post(`${base}/create`, {})).json).toEqual(refusal("missing_parameter", "name", "permissions"))
  })

  it("expires_at without an offset is in the time zone of the account, and the key is active until then", async () => {
    const fresh = await api.caller()
    await fresh.patch("/api/v1/account/update", { time_zone: "America/New_York" })
    const answer = await create({ expires_at: "2099-01-01T00:00:00" }, fresh)
    expect(answer.json).toMatchObject({ expires_at: "2099-01-01T05:00:00.000Z", status: "active" })
  })

  it("a key grants only permissions that it has, and the error names the missing one (D-KEY-14)", async () => {
    const manager = await api.caller({ permissions: ["can_manage_keys", "can_read_calendar"] })
    expect((await create({ permissions: ["can_read_calendar"] }, manager)).status).toBe(201)
    const denied = await create({ permissions: ["can_read_calendar", "can_write_calls"] }, manager)
    expect([denied.status, denied.json]).toEqual([
      403,
      { error: "permission_denied", message: "The caller does not have the permission can_write_calls" }
    ])
    expect((await manager.get(base)).json["count"]).toBe(2)
  })

  it("a key with more permissions than the caller cannot be rotated, but revoked (D-KEY-14)", async () => {
    const owner = await api.caller()
    const manager = await api.caller({ account: owner.account, permissions: ["can_manage_keys"] })
    const { id, value } = (await create({}, owner)).json
    const denied = await manager.post(`${base}/${textOf(id)}/rotate`, { force: true, grace_hours: 0 })
    expect([denied.status, denied.json["error"]]).toEqual([403, "permission_denied"])
    expect(denied.json["message"]).toContain("can_read_calendar")
    expect(await statusWith(value)).toBe(200)
    // The last use is written beside the request (D-KEY-9).
    await expect
      .poll(async () => (await manager.get(`${base}/${textOf(id)}`)).json["last_used_at"], { timeout: 10_000 })
      .toEqual(aTime)
    const revoked = await manager.post(`${base}/${textOf(id)}/revoke`)
    expect([revoked.status, revoked.json]).toEqual([
      200,
      { ...shape, id, last_used_at: aTime, status: "revoked", revoked_at: aTime, message: "API key revoked" }
    ])
    expect(await statusWith(value)).toBe(401)
  })

  it("rotate returns the key with a new value, and both values work during the grace time (D-KEY-7, D-KEY-8)", async () => {
    const first = await create()
    const path = `${base}/${idOf(first)}/rotate`
    const second = await caller.post(path)
    expect([second.status, second.json]).toEqual([
      200,
      { ...shape, id: idOf(first), previous_expires_at: aTime, value: like(/^fd_live_/), message: aText }
    ])
    expect(second.json["value"]).not.toBe(first.json["value"])
    expect([await statusWith(first.json["value"]), await statusWith(second.json["value"])]).toEqual([200, 200])
    const inGrace = await caller.post(path)
    expect([inGrace.status, inGrace.json["error"]]).toEqual([409, "api_key_in_grace"])
    const third = await caller.post(path, { force: true, grace_hours: 0 })
    expect(third.status).toBe(200)
    const values = [first, second, third].map(({ json }) => statusWith(json["value"]))
    expect(await Promise.all(values)).toEqual([401, 401, 200])
  })

  it.each([
    ["grace_hours", 169],
    ["grace_hours", -1],
    ["grace_hours", "1"],
    ["force", "yes"]
  ])("rotate with %s = %j gets validation_error", async (field, value) => {
    const answer = await caller.post(`${base}/${idOf(await create())}/rotate`, { [field]: value })
    expect(answer.json).toEqual(refusal("validation_error", field))
  })

  it("rotating a revoked key gets api_key_revoked, and revoking it again keeps the time of its revocation", async () => {
    const id = idOf(await create())
    const revoked = await caller.post(`${base}/${id}/revoke`)
    const rotated = await caller.post(`${base}/${id}/rotate`)
    expect([rotated.status, rotated.json["error"]]).toEqual([409, "api_key_revoked"])
    expect((await caller.post(`${base}/${id}/revoke`)).json).toEqual(revoked.json)
  })

  it("a key that revokes itself gets 401 for its next request", async () => {
    const { id, value } = (await create({ permissions: ["can_manage_keys", "can_read_calendar"] })).json
    const own = withValue(value)
    const answer = await own(`${base}/${textOf(id)}/revoke`, "POST", {})
    expect([answer.status, answer.json["status"]]).toEqual([200, "revoked"])
    expect((await own(base)).json["error"]).toBe("invalid_key")
  })

  it("two rotations at the same time: one succeeds and the other gets api_key_in_grace (D-KEY-8)", async () => {
    const first = await create()
    const path = `${base}/${idOf(first)}/rotate`
    const answers = await Promise.all([caller.post(path), caller.post(path), caller.post(path)])
    const codes = answers.map(({ json, status }) => (status === 200 ? "rotated" : textOf(json["error"])))
    expect(codes.toSorted()).toEqual(["api_key_in_grace", "api_key_in_grace", "rotated"])
    const current = answers.find(({ status }) => status === 200)?.json["value"]
    expect([await statusWith(first.json["value"]), await statusWith(current)]).toEqual([200, 200])
  })

  it("after a revocation at the same time as rotations no value of the key works", async () => {
    const first = await create()
    const path = `${base}/${idOf(first)}`
    const rotate = () => caller.post(`${path}/rotate`, { force: true })
    const answers: ReadonlyArray<TestAnswer> = await Promise.all([rotate(), caller.post(`${path}/revoke`), rotate()])
    for (const { json } of [first, ...answers]) {
      if (json["value"] !== undefined) expect(await statusWith(json["value"])).toBe(401)
    }
    expect((await caller.get(path)).json["status"]).toBe("revoked")
  })

  it.each(["get", "rotate", "revoke"])(
    "%s of a key of another account gets the 404 of an absent key",
    async (action) => {
      const id = idOf(await create())
      const other = await api.caller()
      const ask = (key: string | number) =>
        action === "get" ? other.get(`${base}/${key}`) : other.post(`${base}/${key}/${action}`)
      const answers = [await ask(id), await ask("9007199254740991")]
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(answers[0]?.text).toBe(answers[1]?.text)
      expect((await caller.get(`${base}/${id}`)).json["status"]).toBe("active")
    }
  )
})
