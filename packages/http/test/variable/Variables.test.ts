import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, makeTestApi, refusal, storages, type TestApi, aNumber, textOf, rowsOf } from "../testApi.ts"

const base = "/api/v1/context-variables"
const plan = { name: "plan", display_name: "Plan", variable_type: "text", context_type: "contact" }

describe.each(storages)("context variables, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  let names = 0
  const create = async (fields: object = {}) => {
    names += 1
    return (await caller.post(`${base}/create`, { ...plan, name: `plan_${names}`, ...fields })).json
  }
  const find = async (id: unknown) => {
    return rowsOf(await caller.get(base), "variables").find((variable) => variable["id"] === id)
  }

  it("list returns count and the definitions with their fields, the default ones included (C-2.4-10, C-4.4-1, D-VAR-2)", async () => {
    const fresh = await api.caller()
    const { json } = await fresh.get(base)
    // An account has 12 default variables for contacts and 7 for the business.
    expect(json["count"]).toBe(19)
    expect(JSON.stringify(json)).toContain('"name":"zip_code","display_name":"Zip Code"')
    const created = await fresh.post(`${base}/create`, { ...plan, variable_type: "select", select_options: ["a", "b"] })
    const { variables } = (await fresh.get(`${base}?context_type=contact`)).json
    expect(variables).toContainEqual({
      id: created.json["id"],
      name: "plan",
      display_name: "Plan",
      description: null,
      variable_type: "select",
      context_type: "contact",
      is_default: false,
      select_options: ["a", "b"]
    })
  })

  it("context_type selects definitions, and another value than contact or business gets 400 invalid_parameter (C-4.4-2)", async () => {
    expect((await (await api.caller()).get(`${base}?context_type=business`)).json["count"]).toBe(7)
    expect((await caller.get(`${base}?context_type=x`)).json).toEqual(refusal("invalid_parameter", "context_type"))
  })

  it("create returns 201 { id, name, display_name, message } (C-4.4-8)", async () => {
    const answer = await caller.post(`${base}/create`, { ...plan, name: "created" })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: aNumber,
      name: "created",
      display_name: "Plan",
      message: "Context variable created"
    })
  })

  it("create names all missing required fields (C-4.4-4, C-7-4)", async () => {
    expect((await caller.post(`${base}/create`, { description: "x" })).json).toEqual(
      refusal("missing_parameter", "name", "display_name", "variable_type", "context_type")
    )
  })

  it.each([
    ["name", "Plan"],
    ["name", "a-b"],
    ["name", ""],
    ["name", "business_x"],
    ["variable_type", "json"],
    ["context_type", "agent"],
    ["display_name", " "],
    ["select_options", "a"]
  ])("%s = %j gets 400 validation_error (C-2.4-1, C-2.4-11, C-2.4-12, D-VAR-1)", async (field, value) => {
    const answer = await caller.post(`${base}/create`, { ...plan, [field]: value })
    expect(answer.json).toEqual(refusal("validation_error", field))
  })

  it("a second variable of the same name and context type gets 400 duplicate_variable (C-2.4-2, C-7-5)", async () => {
    await create({ name: "twice" })
    const answer = await caller.post(`${base}/create`, { ...plan, name: "twice" })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refusal("duplicate_variable"))
    expect((await caller.post(`${base}/create`, { ...plan, name: "twice", context_type: "business" })).status).toBe(201)
  })

  it("a select without options gets missing_parameter, and empty or repeated options get validation_error (C-2.4-3, D-VAR-4)", async () => {
    const select = { ...plan, name: "s", variable_type: "select" }
    expect((await caller.post(`${base}/create`, select)).json).toEqual(refusal("missing_parameter", "select_options"))
    expect((await caller.post(`${base}/create`, { ...select, select_options: [] })).json["error"]).toBe(
      "validation_error"
    )
    expect((await caller.post(`${base}/create`, { ...select, select_options: ["a", "a"] })).json).toEqual(
      refusal("validation_error", "select_options[1]")
    )
  })

  it.each([["PUT"], ["PATCH"]])(
    "%s returns { id, name, display_name, message } and keeps name and context_type (C-4.4-5, C-4.4-6, C-4.4-8)",
    async (method) => {
      const { id, name } = await create({ description: "before" })
      const answer = await caller.ask(`${base}/${textOf(id)}/update`, {
        method,
        body: { display_name: "After", name: "other", context_type: "business" }
      })
      expect([answer.status, answer.json]).toEqual([
        200,
        { id, name, display_name: "After", message: "Context variable updated" }
      ])
      expect(await find(id)).toMatchObject({
        context_type: "contact",
        description: method === "PUT" ? null : "before"
      })
    }
  )

  it("a default variable gets 403 update_not_allowed and delete_not_allowed (C-2.4-4, C-7-17, D-VAR-3)", async () => {
    const id = textOf(rowsOf(await caller.get(base), "variables")[0]?.["id"])
    expect((await caller.put(`${base}/${id}/update`, { display_name: "x" })).json).toEqual(
      refusal("update_not_allowed")
    )
    expect((await caller.patch(`${base}/${id}/update`, {})).status).toBe(403)
    const answer = await caller.delete(`${base}/${id}/delete`)
    expect([answer.status, answer.json]).toEqual([403, refusal("delete_not_allowed")])
  })

  it("delete returns { message }, and afterwards the definition gets 404 not_found (C-4.4-9, C-7-18)", async () => {
    const { id } = await create()
    const answer = await caller.delete(`${base}/${textOf(id)}/delete`)
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, ["message"]])
    expect((await caller.delete(`${base}/${textOf(id)}/delete`)).json).toEqual(refusal("not_found"))
    expect((await caller.put(`${base}/${textOf(id)}/update`, {})).json).toEqual(refusal("not_found"))
  })

  it("reading needs can_read_contacts, and writing needs can_write_contacts (C-5-5, C-5-6)", async () => {
    const reader = await api.caller({ permissions: ["can_read_contacts"] })
    const writer = await api.caller({ permissions: ["can_write_contacts"] })
    expect((await reader.get(base)).status).toBe(200)
    expect((await reader.post(`${base}/create`, plan)).status).toBe(403)
    expect((await reader.put(`${base}/1/update`, {})).status).toBe(403)
    expect((await reader.patch(`${base}/1/update`, {})).status).toBe(403)
    expect((await reader.delete(`${base}/1/delete`)).status).toBe(403)
    expect((await writer.get(base)).status).toBe(403)
    expect((await writer.post(`${base}/create`, plan)).status).toBe(201)
  })
})

describe.each(storages)("the business context, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const path = "/api/v1/business/context"
  const values = () =>
    api.run(
      Effect.gen(function* () {
        const principal = yield* (yield* Accounts).principal(caller.account.id)
        const business = yield* BusinessContext
        return yield* Effect.provideService(business.get, Principal, principal)
      })
    )

  it("sets values for the whole account and returns { message }, and null removes a value (C-2.4-9, C-4.5-3, C-4.5-8)", async () => {
    const answer = await caller.post(path, { variables: { company_name: "Acme", industry: "Toys" } })
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, ["message"]])
    await caller.post(path, { variables: { industry: null } })
    expect(await values()).toEqual({ company_name: "Acme" })
  })

  it("GET returns { variables } with the stored values, and needs can_read_contacts", async () => {
    const reader = await api.caller({ permissions: ["can_read_contacts", "can_write_contacts"] })
    expect((await reader.get(path)).json).toEqual({ variables: {} })
    const sent = { company_name: "Acme", head_count: "42", is_open: "yes", founded_on: "2001-02-03" }
    await reader.post("/api/v1/context-variables/create", {
      name: "head_count",
      display_name: "Head count",
      variable_type: "number",
      context_type: "business"
    })
    await reader.post("/api/v1/context-variables/create", {
      name: "is_open",
      display_name: "Is open",
      variable_type: "boolean",
      context_type: "business"
    })
    await reader.post(path, { variables: sent, auto_create_variables: true })
    const answer = await reader.get(path)
    expect([answer.status, answer.json]).toEqual([200, { variables: { ...sent, head_count: 42, is_open: true } }])
    const blind = await api.caller({ account: reader.account, permissions: ["can_write_contacts"] })
    expect((await blind.get(path)).json).toEqual(refusal("permission_denied"))
  })

  it("a body without variables gets missing_parameter, and one with a list of variables gets validation_error (C-4.5-1)", async () => {
    expect((await caller.post(path, {})).json).toEqual(refusal("missing_parameter", "variables"))
    expect((await caller.post(path, { variables: [] })).json).toEqual(refusal("validation_error", "variables"))
  })

  it("undefined names get 400 undefined_variable with all of them, and nothing is set (C-4.5-2, C-4.5-6, C-7-7)", async () => {
    const answer = await caller.post(path, { variables: { company_name: "Other", nope: 1, nada: 2 } })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refusal("undefined_variable", "variables.nope", "variables.nada"))
    expect(await values()).toMatchObject({ company_name: "Acme" })
  })

  it("auto_create_variables creates definitions with the types of the values (C-4.5-4)", async () => {
    const answer = await caller.post(path, {
      variables: { head_count: 42, is_open: true, founded_on: "2001-02-03" },
      auto_create_variables: true
    })
    expect(answer.status).toBe(200)
    expect(await values()).toMatchObject({ head_count: 42, is_open: true, founded_on: "2001-02-03" })
    const text = (await caller.get("/api/v1/context-variables?context_type=business")).text
    expect(text).toContain('"name":"head_count","display_name":"Head Count"')
  })

  // The test before has created the definitions, except that of the default variable company_name.
  it.each([
    ["company_name", 1],
    ["head_count", "many"],
    ["is_open", "perhaps"],
    ["founded_on", "2001-02-30"]
  ])("%s = %j gets 400 invalid_value (C-2.4-8, C-4.5-7, C-7-6)", async (name, value) => {
    const answer = await caller.post(path, { variables: { [name]: value } })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refusal("invalid_value", `variables.${name}`))
  })

  it("setting values needs can_write_contacts (C-5-6)", async () => {
    const reader = await api.caller({ permissions: ["can_read_contacts"] })
    expect((await reader.post(path, { variables: {} })).status).toBe(403)
  })
})
