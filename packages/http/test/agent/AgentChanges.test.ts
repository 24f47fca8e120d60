import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aNumber,
  aTime,
  aText,
  event,
  idOf,
  makeTestApi,
  refusal,
  rowsOf,
  storages,
  type TestAnswer,
  type TestApi
} from "../testApi.ts"

const agents = "/api/v1/agents"

let assistants = 0

/** Returns the body of an agent with an assistant id of its own. */
const body = (fields: object = {}) => {
  assistants += 1
  return { assistant_id: `asst_${assistants}`, name: "Ada", role: "outbound agent", ...fields }
}

describe.each(storages)("changes of agents, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  it("POST creates an agent, with the defaults of absent fields and with all fields (D-AGENT-1)", async () => {
    const team = await api.run(makeTeam())
    const caller = await api.caller({ teamIds: [team.id] })
    const given = body()
    const made = await caller.post(`${agents}/create`, given)
    const shown = {
      id: aNumber,
      account_id: caller.account.id,
      ...given,
      phone_number: null,
      minutes_used: 0,
      total_calls: 0,
      model: "",
      voice_id: "",
      can_make_calls: false,
      team_id: null,
      allowed_tools: null,
      archived_at: null
    }
    expect([made.status, made.json]).toEqual([201, { ...shown, message: "Agent created" }])
    expect((await caller.get(`${agents}/${idOf(made)}`)).json).toEqual({ ...shown, id: idOf(made) })
    const full = body({
      phone_number: "+12025550160",
      model: "gpt-x",
      voice_id: "v1",
      team_id: team.id,
      allowed_tools: []
    })
    const other = await caller.post(`${agents}/create`, full)
    expect([other.status, other.json]).toMatchObject([201, { ...full, can_make_calls: true }])
    expect(rowsOf(await caller.get(agents), "agents").map(({ id }) => id)).toEqual([idOf(made), idOf(other)])
  })

  it("PUT resets absent fields, and PATCH keeps them and clears with null (D-AGENT-1)", async () => {
    const caller = await api.caller()
    const given = body({ phone_number: "+12025550161", model: "gpt-x", voice_id: "v1" })
    const path = `${agents}/${idOf(await caller.post(`${agents}/create`, given))}`
    const patched = await caller.patch(`${path}/update`, { name: "Grace", phone_number: null })
    const changed = { ...given, name: "Grace", phone_number: null, model: "gpt-x", voice_id: "v1" }
    expect([patched.status, patched.json]).toMatchObject([200, { ...changed, message: "Agent updated" }])
    expect((await caller.get(path)).json).toMatchObject(changed)
    const replaced = { assistant_id: given.assistant_id, name: "Bo", role: "inbound agent" }
    const put = await caller.put(`${path}/update`, { ...replaced, model: null })
    expect([put.status, put.json]).toMatchObject([200, { ...replaced, model: "", voice_id: "", phone_number: null }])
    expect((await caller.get(path)).json).toMatchObject({ ...replaced, model: "", voice_id: "" })
  })

  it("a PATCH sets the tools that an agent may use, null allows every tool, and a PUT without them too (D-AGENT-9)", async () => {
    const caller = await api.caller()
    const allowed = { allowed_tools: ["find_slots", "book"] }
    const given = { ...body(), ...allowed }
    const path = `${agents}/${idOf(await caller.post(`${agents}/create`, given))}`
    const toolsAfter = async (write: Promise<TestAnswer>) => [
      (await write).json["allowed_tools"],
      (await caller.get(path)).json["allowed_tools"]
    ]
    expect((await caller.get(path)).json).toMatchObject(allowed)
    expect(await toolsAfter(caller.patch(`${path}/update`, { allowed_tools: ["opt_out"] }))).toEqual([
      ["opt_out"],
      ["opt_out"]
    ])
    expect(await toolsAfter(caller.patch(`${path}/update`, { allowed_tools: [] }))).toEqual([[], []])
    expect(await toolsAfter(caller.patch(`${path}/update`, { name: "Grace" }))).toEqual([[], []])
    expect(await toolsAfter(caller.patch(`${path}/update`, { allowed_tools: null }))).toEqual([null, null])
    expect(await toolsAfter(caller.put(`${path}/update`, given))).toEqual([given.allowed_tools, given.allowed_tools])
    expect(await toolsAfter(caller.put(`${path}/update`, body({ assistant_id: given.assistant_id })))).toEqual([
      null,
      null
    ])
  })

  it("missing and invalid fields are named, and null is invalid for what a PATCH cannot clear", async () => {
    const caller = await api.caller()
    const path = `${agents}/${idOf(await caller.post(`${agents}/create`, body()))}/update`
    for (const answer of [await caller.post(`${agents}/create`, {}), await caller.put(path, { model: "m" })]) {
      expect([answer.status, answer.json]).toEqual([400, refusal("missing_parameter", "assistant_id", "name", "role")])
    }
    for (const [wrong, field] of [
      [{ assistant_id: " " }, "assistant_id"],
      [{ assistant_id: "x".repeat(256) }, "assistant_id"],
      [{ name: "x".repeat(201) }, "name"],
      [{ role: "robot" }, "role"],
      [{ phone_number: "12025550100" }, "phone_number"],
      [{ model: "x".repeat(256) }, "model"],
      [{ voice_id: 1 }, "voice_id"],
      [{ team_id: "1" }, "team_id"],
      [{ allowed_tools: "book" }, "allowed_tools"],
      [{ allowed_tools: ["bok"] }, "allowed_tools[0]"],
      [{ allowed_tools: ["book", "book"] }, "allowed_tools"]
    ] as const) {
      for (const answer of [
        await caller.post(`${agents}/create`, body(wrong)),
        await caller.put(path, body(wrong)),
        await caller.patch(path, wrong)
      ]) {
        expect([wrong, answer.status, answer.json]).toEqual([wrong, 400, refusal("validation_error", field)])
      }
    }
    for (const field of ["assistant_id", "name", "role", "model", "voice_id"]) {
      expect((await caller.patch(path, { [field]: null })).json).toEqual(refusal("validation_error", field))
    }
  })

  it("an assistant id of any account and a phone number of another account are invalid (D-AGENT-6)", async () => {
    const [caller, other] = [await api.caller(), await api.caller()]
    const theirs = body({ phone_number: "+12025550162" })
    expect((await other.post(`${agents}/create`, theirs)).status).toBe(201)
    const mine = await caller.post(`${agents}/create`, body())
    const path = `${agents}/${idOf(mine)}/update`
    for (const [change, field, message] of [
      [{ assistant_id: theirs.assistant_id }, "assistant_id", "Another agent has this assistant id"],
      [{ phone_number: "+12025550162" }, "phone_number", "An agent of another account has this phone number"]
    ] as const) {
      const refused = { error: "validation_error", message: `${field}: ${message}`, details: [expect.any(Object)] }
      for (const answer of [
        await caller.post(`${agents}/create`, body(change)),
        await caller.put(path, body(change)),
        await caller.patch(path, change)
      ]) {
        expect([answer.status, answer.json]).toEqual([400, refused])
      }
    }
    expect(rowsOf(await caller.get(agents), "agents")).toHaveLength(1)
  })

  it("only the owner changes an agent that others see, and for any other caller it is 404 (D-AGENT-2)", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    const stranger = await api.caller()
    const partner = await api.caller({ role: "partner" })
    const client = await api.caller({ role: "client", partnerId: partner.account.id })
    const shared = idOf(await owner.post(`${agents}/create`, body({ team_id: team.id })))
    const ofPartner = idOf(await partner.post(`${agents}/create`, body()))
    const ofClient = idOf(await client.post(`${agents}/create`, body()))
    for (const [caller, id, status, code] of [
      [mate, shared, 403, "permission_denied"],
      [client, ofPartner, 403, "permission_denied"],
      [partner, ofClient, 403, "permission_denied"],
      [stranger, shared, 404, "agent_not_found"],
      [mate, ofClient, 404, "agent_not_found"]
    ] as const) {
      for (const answer of [
        await caller.put(`${agents}/${id}/update`, body()),
        await caller.patch(`${agents}/${id}/update`, { name: "X" }),
        await caller.delete(`${agents}/${id}/delete`)
      ]) {
        expect([answer.status, answer.json]).toEqual([status, refusal(code)])
      }
    }
    expect((await owner.get(`${agents}/${shared}`)).json["name"]).toBe("Ada")
  })

  it("a team must exist, and the account must be in it", async () => {
    const team = await api.run(makeTeam())
    const caller = await api.caller()
    const path = `${agents}/${idOf(await caller.post(`${agents}/create`, body()))}/update`
    for (const [team_id, status, code] of [
      [team.id, 403, "team_access_denied"],
      [999_999, 404, "team_not_found"]
    ] as const) {
      for (const answer of [
        await caller.post(`${agents}/create`, body({ team_id })),
        await caller.put(path, body({ team_id })),
        await caller.patch(path, { team_id })
      ]) {
        expect([answer.status, answer.json]).toEqual([status, refusal(code)])
      }
    }
  })

  it("needs can_write_agents (D-KEY-3)", async () => {
    const { account, post } = await api.caller()
    const reader = await api.caller({ account, permissions: ["can_read_agents"] })
    const path = `${agents}/${idOf(await post(`${agents}/create`, body()))}`
    for (const answer of [
      await reader.post(`${agents}/create`, body()),
      await reader.put(`${path}/update`, body()),
      await reader.patch(`${path}/update`, {}),
      await reader.delete(`${path}/delete`)
    ]) {
      expect([answer.status, answer.json]).toEqual([403, refusal("permission_denied")])
    }
  })

  it("DELETE removes an agent without calls, and archives one with a call or a calendar event (D-AGENT-3)", async () => {
    const caller = await api.caller({ balance: 100 })
    const create = async (fields: object) => idOf(await caller.post(`${agents}/create`, body(fields)))
    const unused = await create({ phone_number: "+12025550163" })
    const gone = await caller.delete(`${agents}/${unused}/delete`)
    expect([gone.status, gone.json]).toEqual([200, { message: "Agent deleted", archived: false }])
    for (const answer of [await caller.get(`${agents}/${unused}`), await caller.delete(`${agents}/${unused}/delete`)]) {
      expect([answer.status, answer.json]).toEqual([404, refusal("agent_not_found")])
    }
    const [called, booked, kept] = [await create({ phone_number: "+12025550164" }), await create({}), await create({})]
    const call = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: called })
    expect(call.status).toBe(201)
    const created = await caller.post("/api/v1/calendar/events/create", { ...event, ai_agent_id: booked })
    expect(created.status).toBe(201)
    for (const id of [called, booked]) {
      const answer = await caller.delete(`${agents}/${id}/delete`)
      expect([answer.status, answer.json]).toEqual([200, { message: aText, archived: true }])
      const shown = (await caller.get(`${agents}/${id}`)).json
      expect(shown).toMatchObject({ id, phone_number: null, can_make_calls: false, archived_at: aTime })
    }
    const idsOf = async (query: string) => rowsOf(await caller.get(`${agents}${query}`), "agents").map(({ id }) => id)
    expect([await idsOf(""), await idsOf("?archived=false")]).toEqual([[kept], [kept]])
    expect(await idsOf("?archived=true")).toEqual([called, booked])
    expect((await caller.get(`${agents}?archived=1`)).json).toEqual(refusal("invalid_parameter", "archived"))
    expect((await caller.get(`/api/v1/calls/${idOf(call)}`)).json).toMatchObject({ agent: { id: called } })
    const events = await caller.get(`/api/v1/calendar/events?ai_agent_id=${booked}`)
    expect(rowsOf(events, "events")).toMatchObject([{ id: idOf(created), ai_agent: { id: booked } }])
  })

  it("an archived agent takes no calls, no calendar events and no changes: 409 agent_archived (D-AGENT-4)", async () => {
    const caller = await api.caller({ balance: 100 })
    const given = body({ phone_number: "+12025550165" })
    const id = idOf(await caller.post(`${agents}/create`, given))
    const start = () => caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: id })
    const call = await start()
    const planned = await caller.post("/api/v1/calendar/events/create", event)
    await caller.delete(`${agents}/${id}/delete`)
    for (const answer of [
      await start(),
      await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: given.assistant_id, dry_run: true }),
      await caller.post("/api/v1/calendar/events/create", { ...event, ai_agent_id: id }),
      await caller.patch(`/api/v1/calendar/events/${idOf(planned)}/update`, { ai_agent_id: id }),
      await caller.put(`/api/v1/calendar/events/${idOf(planned)}/update`, { ai_agent_id: id }),
      await caller.patch(`${agents}/${id}/update`, { name: "X" }),
      await caller.put(`${agents}/${id}/update`, given)
    ]) {
      expect([answer.status, answer.json]).toEqual([409, refusal("agent_archived")])
    }
    expect((await caller.post(`/api/v1/calls/${idOf(call)}/hang-up`)).status).toBe(200)
  })

  it("an agent that the operator gave a phone number of two accounts keeps it in a PUT and a PATCH (D-AGENT-6)", async () => {
    const [caller, other] = [await api.caller(), await api.caller()]
    const phoneNumber = PhoneNumber.make("+12025550166")
    const { assistantId, id } = await api.run(makeAgent(caller.account.id, { phoneNumber }))
    await api.run(makeAgent(other.account.id, { phoneNumber }))
    const kept = { phone_number: phoneNumber }
    expect(await caller.patch(`${agents}/${id}/update`, kept)).toMatchObject({ status: 200, json: kept })
    const put = await caller.put(`${agents}/${id}/update`, body({ ...kept, assistant_id: assistantId }))
    expect(put).toMatchObject({ status: 200, json: kept })
    expect((await caller.patch(`${agents}/${id}/update`, { phone_number: null })).status).toBe(200)
    expect((await caller.patch(`${agents}/${id}/update`, kept)).json).toEqual(
      refusal("validation_error", "phone_number")
    )
  })
})
