import { maxChangedNumbers } from "@frontdesk/core/contact/DoNotCallInput"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, rowsOf, storages, type TestApi } from "../testApi.ts"

const path = "/api/v1/do-not-call"
const [first, second, third] = ["+12025550161", "+12025550162", "+12025550163"]

describe.each(storages)("the do-not-call list, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  it("add answers the numbers that were not on the list, remove those that were, and list has them sorted (D-DNC-9)", async () => {
    const [caller, stranger] = [await api.caller(), await api.caller()]
    const add = await caller.post(path, { phone_numbers: [second, first, second] })
    expect([add.status, add.json]).toEqual([200, { added: [first, second], message: "Do-not-call list updated" }])
    expect((await caller.post(path, { phone_numbers: [third, first] })).json).toMatchObject({ added: [third] })
    expect((await caller.get(`${path}?limit=2`)).json).toEqual({
      count: 3,
      page: 1,
      limit: 2,
      pages: 2,
      phone_numbers: [first, second]
    })
    expect((await caller.get(`${path}?limit=2&page=2`)).json).toMatchObject({ page: 2, phone_numbers: [third] })
    expect((await stranger.get(path)).json).toMatchObject({ count: 0, phone_numbers: [] })
    expect((await stranger.post(`${path}/remove`, { phone_numbers: [first] })).json).toMatchObject({ removed: [] })
    const remove = await caller.post(`${path}/remove`, { phone_numbers: [third, first, "+12025550169"] })
    expect([remove.status, remove.json]).toEqual([
      200,
      { removed: [first, third], message: "Do-not-call list updated" }
    ])
    expect((await caller.get(path)).json).toMatchObject({ count: 1, phone_numbers: [second] })
  })

  it("list with a number has that number if it is on the list, and otherwise nothing (D-DNC-9)", async () => {
    const caller = await api.caller()
    await caller.post(path, { phone_numbers: [first, third] })
    const look = async (query: string) => (await caller.get(`${path}?phone_number=${query}`)).json
    const found = { count: 1, page: 1, limit: 20, pages: 1, phone_numbers: [third] }
    expect(await look(encodeURIComponent(third))).toEqual(found)
    // A plus that is not escaped arrives as a space.
    expect(await look(third)).toEqual(found)
    expect(await look(encodeURIComponent(second))).toMatchObject({ count: 0, pages: 0, phone_numbers: [] })
    expect(await look("12025550163")).toEqual(refusal("invalid_parameter", "phone_number"))
  })

  it("a number on no contact gets no call, and a removed one gets calls again, also on its contact (D-DNC-3, D-DNC-5)", async () => {
    const caller = await api.caller({ balance: 10 })
    const agent = await api.run(makeAgent(caller.account.id))
    const call = () => caller.post("/api/v1/calls", { phone_number: first, agent_id: agent.id })
    await caller.post(path, { phone_numbers: [first] })
    expect((await call()).json).toMatchObject({ error: "do_not_call" })
    await caller.post("/api/v1/contacts/create", { phone_numbers: [{ phone_number: first }] })
    const contact = async () => rowsOf(await caller.get("/api/v1/contacts"), "contacts")[0]
    expect(await contact()).toMatchObject({ phone_numbers: [{ do_not_call: true }] })
    await caller.post(`${path}/remove`, { phone_numbers: [first] })
    expect(await contact()).toMatchObject({ phone_numbers: [{ do_not_call: false }] })
    expect((await call()).status).toBe(201)
  })

  it.each([
    [{}, "missing_parameter", "phone_numbers"],
    [{ phone_numbers: [] }, "validation_error", "phone_numbers"],
    [{ phone_numbers: first }, "validation_error", "phone_numbers"],
    [{ phone_numbers: [first, second, third, "2025550123"] }, "validation_error", "phone_numbers[3]"],
    [{ phone_numbers: [first, null] }, "validation_error", "phone_numbers[1]"],
    [{ phone_numbers: Array.from({ length: maxChangedNumbers + 1 }, () => first) }, "validation_error", "phone_numbers"]
  ])("the body %j gets %s at %s, and changes nothing (D-DNC-9)", async (body, code, field) => {
    const caller = await api.caller()
    await caller.post(path, { phone_numbers: [second] })
    for (const one of [path, `${path}/remove`]) {
      const answer = await caller.post(one, body)
      expect([answer.status, answer.json]).toEqual([400, refusal(code, field)])
    }
    expect((await caller.get(path)).json).toMatchObject({ phone_numbers: [second] })
  })

  it(`${maxChangedNumbers} numbers are added and removed with one request each, and the log counts them (D-DNC-9, D-AUD-4)`, async () => {
    const caller = await api.caller()
    const phone_numbers = Array.from({ length: maxChangedNumbers }, (_, n) => `+1303${5_550_000 + n}`)
    expect((await caller.post(path, { phone_numbers })).json["added"]).toEqual(phone_numbers)
    expect((await caller.post(path, { phone_numbers })).json["added"]).toEqual([])
    expect((await caller.post(`${path}/remove`, { phone_numbers })).json["removed"]).toEqual(phone_numbers)
    const log = await caller.get("/api/v1/audit?entity_type=do_not_call_list")
    const changes = [{ field: "numbers", after: maxChangedNumbers }]
    expect(rowsOf(log, "entries")).toMatchObject([
      { operation: "doNotCall.remove", changes },
      { operation: "doNotCall.add", changes }
    ])
    expect(log.text).not.toContain("+1303")
  })

  it("a repeat with the same idempotency key answers the numbers that the first request has added", async () => {
    const caller = await api.caller()
    const add = () => caller.post(path, { phone_numbers: [first] }, { "idempotency-key": `dnc-${storage}` })
    const answers = [await add(), await add()]
    expect(answers.map(({ json }) => json["added"])).toEqual([[first], [first]])
    expect(answers[1]?.headers.get("idempotent-replayed")).toBe("true")
  })

  it("list needs can_read_contacts, and add and remove need can_write_contacts (D-DNC-9)", async () => {
    const { account } = await api.caller()
    const [reader, writer, other] = [
      await api.caller({ account, permissions: ["can_read_contacts"] }),
      await api.caller({ account, permissions: ["can_write_contacts"] }),
      await api.caller({ account, permissions: ["can_read_calls", "can_write_calls"] })
    ]
    const body = { phone_numbers: [first] }
    const asked = async (caller: typeof reader) => [
      (await caller.get(path)).status,
      (await caller.post(path, body)).status,
      (await caller.post(`${path}/remove`, body)).status
    ]
    expect(await asked(reader)).toEqual([200, 403, 403])
    expect(await asked(writer)).toEqual([403, 200, 200])
    expect(await asked(other)).toEqual([403, 403, 403])
  })
})
