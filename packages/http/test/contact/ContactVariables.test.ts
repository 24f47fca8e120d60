import { makeTeam } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, idOf, makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"

const create = "/api/v1/contacts/create"

describe.each(storages)("the types of contact variables in custom_context, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  const define = (caller: Caller, name: string, type: string, more: object = {}) =>
    caller.post("/api/v1/context-variables/create", {
      name,
      display_name: name,
      variable_type: type,
      context_type: "contact",
      ...more
    })
  const contextOf = async (caller: Caller, id: number) =>
    (await caller.get(`/api/v1/contacts/${id}`)).json["custom_context"]

  it("create, PUT and PATCH store a value of a defined variable in its canonical form", async () => {
    const caller = await api.caller()
    await define(caller, "visits", "number")
    await define(caller, "is_member", "boolean")
    await define(caller, "plan", "select", { select_options: ["basic", "pro"] })
    await define(caller, "since", "date")
    const sent = { visits: "42", is_member: "yes", plan: "pro", since: "2026-03-08", other: { any: ["thing"] } }
    const stored = { ...sent, visits: 42, is_member: true }
    const made = await caller.post(create, { custom_context: sent })
    expect([made.status, made.json["custom_context"]]).toEqual([201, stored])
    const path = `/api/v1/contacts/${idOf(made)}/update`
    expect((await caller.put(path, { custom_context: { visits: "7", plan: null } })).status).toBe(200)
    expect(await contextOf(caller, idOf(made))).toEqual({ visits: 7, plan: null })
    expect((await caller.patch(path, { custom_context: { is_member: "0", plan: null } })).status).toBe(200)
    expect(await contextOf(caller, idOf(made))).toEqual({ visits: 7, is_member: false })
  })

  it("values that do not match their types get 400 validation_error with each name, and nothing is stored (D-CON-9)", async () => {
    const caller = await api.caller()
    await define(caller, "visits", "number")
    await define(caller, "plan", "select", { select_options: ["basic", "pro"] })
    const made = await caller.post(create, { custom_context: { visits: 1, plan: "pro" } })
    const wrong = { custom_context: { visits: "many", plan: ["pro"], free: [1] } }
    const path = `/api/v1/contacts/${idOf(made)}/update`
    for (const answer of [
      await caller.post(create, wrong),
      await caller.put(path, wrong),
      await caller.patch(path, wrong)
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refusal("validation_error", "custom_context.visits", "custom_context.plan"))
    }
    expect(await contextOf(caller, idOf(made))).toEqual({ visits: 1, plan: "pro" })
  })

  it("a stored value that no longer matches its type is kept until a request writes it", async () => {
    const caller = await api.caller()
    const made = await caller.post(create, { custom_context: { visits: "many" } })
    await define(caller, "visits", "number")
    const path = `/api/v1/contacts/${idOf(made)}/update`
    expect((await caller.patch(path, { custom_context: { other: 1 } })).status).toBe(200)
    expect(await contextOf(caller, idOf(made))).toEqual({ visits: "many", other: 1 })
    expect((await caller.patch(path, { custom_context: { visits: "many" } })).status).toBe(400)
  })

  it("a business variable has no effect on custom_context, and a contact variable none on industry_context", async () => {
    const caller = await api.caller()
    await define(caller, "visits", "number", { context_type: "business" })
    await define(caller, "size", "number")
    const sent = { custom_context: { visits: "many" }, industry_context: { size: "large" } }
    expect((await caller.post(create, sent)).json).toMatchObject(sent)
  })

  it("a change by a team mate must match those definitions of the owner that the team mate sees", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    await define(owner, "visits", "number", { team_id: team.id })
    await define(owner, "plan", "select", { select_options: ["pro"] })
    await define(mate, "plan", "select", { select_options: ["basic"] })
    const made = await owner.post(create, { team_id: team.id })
    const path = `/api/v1/contacts/${idOf(made)}/update`
    const sent = { visits: "42", plan: "other" }
    expect((await mate.patch(path, { custom_context: sent })).status).toBe(200)
    expect(await contextOf(owner, idOf(made))).toEqual({ visits: 42, plan: "other" })
    const wrong = { custom_context: { visits: "yes", plan: "other" } }
    expect((await mate.patch(path, wrong)).json).toEqual(refusal("validation_error", "custom_context.visits"))
    const both = refusal("validation_error", "custom_context.visits", "custom_context.plan")
    expect((await owner.patch(path, wrong)).json).toEqual(both)
  })

  it("a definition of a team mate applies only to the contacts of the team mate (D-CON-9)", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    await define(mate, "visits", "number", { team_id: team.id })
    const sent = { custom_context: { visits: "many" } }
    const made = await owner.post(create, { ...sent, team_id: team.id })
    expect([made.status, made.json]).toMatchObject([201, sent])
    expect((await mate.patch(`/api/v1/contacts/${idOf(made)}/update`, sent)).status).toBe(200)
    const refused = await mate.post(create, { ...sent, team_id: team.id })
    expect(refused.json).toEqual(refusal("validation_error", "custom_context.visits"))
  })

  it("default variables accept every value (D-CON-9)", async () => {
    const caller = await api.caller()
    const sent = { custom_context: { first_name: 1, phone_number: ["+12025550100"], zip_code: { any: "thing" } } }
    const made = await caller.post(create, sent)
    expect([made.status, made.json]).toMatchObject([201, sent])
  })
})
