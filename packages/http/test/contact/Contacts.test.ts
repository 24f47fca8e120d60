import { makeTeam } from "@frontdesk/testing/suite/Samples"
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

const everything = {
  first_name: "Jo",
  last_name: "Li",
  email: "jo@example.com",
  company: "Acme",
  website: "https://example.com",
  address: "1 Main St",
  city: "Boston",
  state: "MA",
  zip_code: "02101",
  country: "US",
  status: "open",
  stage: "customer",
  tags: ["a", "b"],
  phone_numbers: [{ phone_number: "+12025550111", phone_type: "mobile", primary: true, do_not_call: true }],
  custom_context: { plan: "gold", nested: { a: [1, null, "x"] } },
  industry_context: { size: 3 }
}

const blank = {
  first_name: null,
  last_name: null,
  full_name: "",
  email: null,
  company: null,
  website: null,
  address: null,
  city: null,
  state: null,
  zip_code: null,
  country: null,
  status: "new",
  stage: "lead",
  team: null,
  tags: [],
  phone_numbers: [],
  custom_context: {},
  industry_context: {},
  last_call_date: null
}

describe.each(storages)("contacts, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const create = async (fields: object = everything) =>
    Number((await caller.post("/api/v1/contacts/create", fields)).json["id"])
  const read = async (id: number) => (await caller.get(`/api/v1/contacts/${id}`)).json

  it("create returns 201 with the contact and a message, and get returns every field (C-2.3-1, C-2.3-3, D-HTTP-12, D-CON-1)", async () => {
    const created = await caller.post("/api/v1/contacts/create", everything)
    expect(created.status).toBe(201)
    const { message, ...contact } = created.json
    expect(message).toBe("Contact created")
    expect(contact).toEqual({
      ...everything,
      id: aNumber,
      full_name: "Jo Li",
      team: null,
      phone_numbers: [{ id: aNumber, ...everything.phone_numbers[0] }],
      last_call_date: null,
      created_at: aTime,
      updated_at: aTime
    })
    expect(await read(Number(contact["id"]))).toEqual(contact)
  })

  it.each([["PUT"], ["PATCH"]])(
    "%s returns id, names, full_name, email and message (C-2.3-2, C-4.3-7)",
    async (method) => {
      const id = await create()
      const answer = await caller.ask(`/api/v1/contacts/${id}/update`, {
        method,
        body: { first_name: "Zo", email: null }
      })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        id,
        first_name: "Zo",
        last_name: method === "PUT" ? null : "Li",
        full_name: method === "PUT" ? "Zo" : "Zo Li",
        email: null,
        message: "Contact updated"
      })
    }
  )

  it("PUT replaces the whole contact, also with an empty body (C-4.3-1, C-4.3-8)", async () => {
    const id = await create()
    expect((await caller.put(`/api/v1/contacts/${id}/update`)).status).toBe(200)
    expect(await read(id)).toMatchObject(blank)
  })

  it("PATCH changes only the fields of the body (C-4.3-2)", async () => {
    const id = await create()
    const before = await read(id)
    await caller.patch(`/api/v1/contacts/${id}/update`, { city: "Paris" })
    expect(await read(id)).toEqual({ ...before, city: "Paris", updated_at: aText })
  })

  it("PUT deletes all phone numbers and creates those of the body (C-4.3-3)", async () => {
    const id = await create()
    const old = JSON.stringify((await read(id))["phone_numbers"])
    await caller.put(`/api/v1/contacts/${id}/update`, { phone_numbers: everything.phone_numbers })
    const fresh = await read(id)
    expect(JSON.stringify(fresh["phone_numbers"])).not.toBe(old)
    expect(fresh["phone_numbers"]).toMatchObject(everything.phone_numbers)
  })

  it("PATCH changes a phone number with an id, adds one without, and keeps those that the body does not mention (C-4.3-4)", async () => {
    const id = await create({ phone_numbers: [{ phone_number: "+12025550118" }, { phone_number: "+12025550112" }] })
    const numbers = JSON.stringify((await read(id))["phone_numbers"])
    const [first = "", second = ""] = numbers.match(/(?<="id":)\d+/g) ?? []
    await caller.patch(`/api/v1/contacts/${id}/update`, {
      phone_numbers: [
        { id: Number(second), phone_number: "+12025550119", primary: true },
        { phone_number: "+12025550113" }
      ]
    })
    expect((await read(id))["phone_numbers"]).toEqual([
      { id: Number(first), phone_number: "+12025550118", phone_type: null, primary: false, do_not_call: false },
      { id: Number(second), phone_number: "+12025550119", phone_type: null, primary: true, do_not_call: false },
      { id: aNumber, phone_number: "+12025550113", phone_type: null, primary: false, do_not_call: false }
    ])
  })

  it("DELETE removes one phone number, and the first of the others becomes primary (D-CON-15)", async () => {
    const numbers = ["+12025550141", "+12025550142", "+12025550143"]
    const id = idOf(
      await caller.post("/api/v1/contacts/create", { phone_numbers: numbers.map((phone_number) => ({ phone_number })) })
    )
    const path = `/api/v1/contacts/${id}`
    const stored = async () =>
      rowsOf(await caller.get(path), "phone_numbers").map((row) => [row["id"], row["phone_number"], row["primary"]])
    const [first, ...others] = await stored()
    const removal = `${path}/phone-numbers/${textOf(first?.[0])}`
    const removed = await caller.delete(removal)
    expect([removed.status, removed.json]).toMatchObject([200, { id, message: aText }])
    expect(await stored()).toEqual(others.map(([key, number], index) => [key, number, index === 0]))
    expect((await caller.delete(removal)).json).toEqual(refusal("not_found"))
    expect((await caller.delete(`${path}/phone-numbers/x`)).json).toEqual(
      refusal("invalid_parameter", "phone_number_id")
    )
    const other = await api.caller()
    const foreign = `${path}/phone-numbers/${textOf(others[0]?.[0])}`
    expect((await other.delete(foreign)).json).toEqual(refusal("not_found"))
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_contacts"] })
    expect((await reader.delete(foreign)).status).toBe(403)
    expect(await stored()).toHaveLength(2)
  })

  it("tags replace the stored tags in a PUT and in a PATCH (C-4.3-5)", async () => {
    const id = await create()
    await caller.patch(`/api/v1/contacts/${id}/update`, { tags: ["c"] })
    expect((await read(id))["tags"]).toEqual(["c"])
    await caller.put(`/api/v1/contacts/${id}/update`, { tags: ["d"] })
    expect((await read(id))["tags"]).toEqual(["d"])
  })

  it("PUT replaces a context, PATCH merges it, and null under a name removes the name (C-4.3-6, D-CON-8)", async () => {
    const id = await create()
    await caller.patch(`/api/v1/contacts/${id}/update`, { custom_context: { plan: null, new: 1 } })
    expect((await read(id))["custom_context"]).toEqual({ nested: { a: [1, null, "x"] }, new: 1 })
    await caller.put(`/api/v1/contacts/${id}/update`, { custom_context: { only: true } })
    expect((await read(id))["custom_context"]).toEqual({ only: true })
  })

  it.each([
    ["email", "x"],
    ["email", 1],
    ["website", "example.com"],
    ["status", ""],
    ["stage", "x".repeat(51)],
    ["tags", "a"],
    ["tags", [1]],
    ["phone_numbers", {}],
    ["custom_context", []],
    ["industry_context", "x"],
    ["first_name", {}],
    ["zip_code", 2101],
    ["team_id", "1"]
  ])("%s = %j gets 400 validation_error from POST, PUT and PATCH (C-7-3)", async (field, value) => {
    const id = await create()
    for (const answer of [
      await caller.post("/api/v1/contacts/create", { [field]: value }),
      await caller.put(`/api/v1/contacts/${id}/update`, { [field]: value }),
      await caller.patch(`/api/v1/contacts/${id}/update`, { [field]: value })
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.json["error"]).toBe("validation_error")
      expect(answer.text).toContain(`"field":"${field}`)
    }
  })

  it("a repeated phone number, and in a PATCH an id of another contact's number, get validation_error", async () => {
    const id = await create()
    const other = JSON.stringify((await read(await create()))["phone_numbers"]).match(/(?<="id":)\d+/)?.[0]
    const twice = [{ phone_number: "+12025550118" }, { phone_number: "+12025550118" }]
    expect((await caller.patch(`/api/v1/contacts/${id}/update`, { phone_numbers: twice })).json).toEqual(
      refusal("validation_error", "phone_numbers[1].phone_number")
    )
    const foreign = [{ id: Number(other), phone_number: "+12025550118" }]
    expect((await caller.patch(`/api/v1/contacts/${id}/update`, { phone_numbers: foreign })).json).toEqual(
      refusal("validation_error", "phone_numbers[0].id")
    )
  })

  it("too many items or bytes get validation_error for the collection and not for its items", async () => {
    const answer = await caller.post("/api/v1/contacts/create", {
      first_name: 1,
      phone_numbers: Array.from({ length: 101 }, () => ({})),
      custom_context: { a: "x".repeat(65_536) }
    })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      ...refusal("validation_error"),
      details: [
        { field: "custom_context", code: "too_large", message: "Expected at most 65536 bytes of JSON in UTF-8" },
        { field: "phone_numbers", code: "too_many", message: "Expected at most 100 items" },
        expect.objectContaining({ field: "first_name", code: "invalid_type" })
      ]
    })
  })

  it("a team that the account is not in gets 403, and an unknown team gets 404 (D-TEAM-2)", async () => {
    const [mine, theirs] = [await api.run(makeTeam("Mine")), await api.run(makeTeam("Theirs"))]
    const member = await api.caller({ teamIds: [mine.id] })
    for (const [team_id, status, code] of [
      [theirs.id, 403, "team_access_denied"],
      [99_999, 404, "team_not_found"]
    ] as const) {
      const answer = await member.post("/api/v1/contacts/create", { team_id })
      expect([answer.status, answer.json["error"]]).toEqual([status, code])
    }
    const created = await member.post("/api/v1/contacts/create", { team_id: mine.id })
    expect(created.json["team"]).toEqual({ id: mine.id, name: "Mine" })
    await member.patch(`/api/v1/contacts/${textOf(created.json["id"])}/update`, { team_id: null })
    expect((await member.get(`/api/v1/contacts/${textOf(created.json["id"])}`)).json["team"]).toBeNull()
  })

  it("a team mate gets 403 permission_denied for changing the team, deleting the contact, removing a number from the do-not-call list, or removing a listed number from the contact (D-TEAM-7, D-DNC-7)", async () => {
    const [sales, support] = [await api.run(makeTeam("Sales")), await api.run(makeTeam("Support"))]
    const owner = await api.caller({ teamIds: [sales.id] })
    const mate = await api.caller({ teamIds: [sales.id, support.id] })
    const created = await owner.post("/api/v1/contacts/create", {
      team_id: sales.id,
      phone_numbers: [{ phone_number: "+12025550177", do_not_call: true }]
    })
    const path = `/api/v1/contacts/${textOf(created.json["id"])}`
    for (const refused of [
      await mate.patch(`${path}/update`, { team_id: support.id }),
      await mate.put(`${path}/update`, { phone_numbers: [{ phone_number: "+12025550177", do_not_call: false }] }),
      await mate.put(`${path}/update`, { first_name: "S" }),
      await mate.delete(`${path}/delete`)
    ]) {
      expect([refused.status, refused.json]).toEqual([403, refusal("permission_denied")])
    }
    const replaced = { first_name: "S", phone_numbers: [{ phone_number: "+12025550177" }] }
    expect((await mate.put(`${path}/update`, replaced)).status).toBe(200)
    expect((await owner.get(path)).json).toMatchObject({ ...replaced, team: { id: sales.id } })
    expect((await owner.put(`${path}/update`, { first_name: "S", team_id: sales.id })).status).toBe(200)
    const again = await owner.post("/api/v1/contacts/create", { phone_numbers: [{ phone_number: "+12025550177" }] })
    expect(again.json["phone_numbers"]).toMatchObject([{ do_not_call: true }])
  })

  it("an account with fixed statuses and stages rejects other values", async () => {
    const strict = await api.caller({ settings: { contactStatuses: ["open"], contactStages: ["won"] } })
    expect((await strict.post("/api/v1/contacts/create", { status: "x", stage: "y" })).json).toEqual(
      refusal("validation_error", "status", "stage")
    )
    expect((await strict.post("/api/v1/contacts/create", { status: "open", stage: "won" })).status).toBe(201)
  })

  it("delete returns a message, and afterwards the contact gets 404", async () => {
    const id = await create()
    const answer = await caller.delete(`/api/v1/contacts/${id}/delete`)
    expect([answer.status, answer.json]).toEqual([200, { message: "Contact deleted" }])
    for (const gone of [
      await caller.get(`/api/v1/contacts/${id}`),
      await caller.put(`/api/v1/contacts/${id}/update`, {}),
      await caller.patch(`/api/v1/contacts/${id}/update`, {}),
      await caller.delete(`/api/v1/contacts/${id}/delete`)
    ]) {
      expect([gone.status, gone.json]).toEqual([404, refusal("not_found")])
    }
  })

  describe("the list (D-CON-2)", () => {
    let lister: Caller
    beforeAll(async () => {
      const team = await api.run(makeTeam("Listed"))
      lister = await api.caller({ teamIds: [team.id] })
      await lister.post("/api/v1/contacts/create", { ...everything, team_id: team.id })
      await lister.post("/api/v1/contacts/create", { first_name: "Sam" })
    })

    it.each([
      ["", 2],
      ["search=jo%20li", 1],
      ["search=EXAMPLE", 1],
      ["search=nobody", 0],
      ["phone_number=%2B12025550111", 1],
      ["tag=a", 1],
      ["tag=z", 0],
      ["status=new", 1],
      ["stage=customer", 1],
      ["team_id=99999", 0]
    ])("the query %s finds %i contacts", async (query, count) => {
      expect((await lister.get(`/api/v1/contacts?${query}`)).json["count"]).toBe(count)
    })

    it.each([["team_id=x"], ["phone_number=12"], ["search="]])(
      "the query %s gets 400 invalid_parameter",
      async (query) => {
        expect((await lister.get(`/api/v1/contacts?${query}`)).json["error"]).toBe("invalid_parameter")
      }
    )
  })

  it("updating needs only can_read_contacts, and creating and deleting need can_write_contacts (C-5-5, D-KEY-2)", async () => {
    const id = await create()
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_contacts"] })
    const writer = await api.caller({ account: caller.account, permissions: ["can_write_contacts"] })
    expect((await reader.patch(`/api/v1/contacts/${id}/update`, {})).status).toBe(200)
    expect((await reader.put(`/api/v1/contacts/${id}/update`, {})).status).toBe(200)
    expect((await reader.get("/api/v1/contacts")).status).toBe(200)
    expect((await reader.post("/api/v1/contacts/create", {})).status).toBe(403)
    expect((await reader.delete(`/api/v1/contacts/${id}/delete`)).status).toBe(403)
    expect((await writer.patch(`/api/v1/contacts/${id}/update`, {})).status).toBe(403)
    expect((await writer.get(`/api/v1/contacts/${id}`)).status).toBe(403)
    expect((await writer.delete(`/api/v1/contacts/${id}/delete`)).status).toBe(200)
  })
})
