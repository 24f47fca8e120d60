import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, idOf, makeTestApi, rowsOf, storageLayers, storages, type TestApi } from "../testApi.ts"

const agents = "/api/v1/agents"
const maxAgents = 5
const rounds = 8

let assistants = 0

const create = (caller: Caller, fields: object = {}) => {
  assistants += 1
  return caller.post(`${agents}/create`, {
    assistant_id: `asst_${assistants}`,
    name: "Ada",
    role: "outbound agent",
    ...fields
  })
}

/** Returns the ids of rows, sorted. */
const sortedIds = (rows: ReadonlyArray<{ readonly [name: string]: unknown }>) =>
  rows.map((row) => Number(row["id"])).toSorted((a, b) => a - b)

const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

describe.each(storages)("simultaneous changes of agents, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    const limits = Layer.succeed(AccountLimits, { ...defaultLimits, agents: maxAgents })
    api = await makeTestApi(Layer.merge(storageLayers[storage], limits))
  })
  afterAll(() => api.close())

  it("a deletion while calls are started loses no call: each started call has its agent, archived (D-AGENT-5)", async () => {
    for (let round = 0; round < rounds; round++) {
      const caller = await api.caller({ balance: 100 })
      const id = idOf(await create(caller, { phone_number: "+12025550170" }))
      const start = () => caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: id })
      const remove = () => caller.delete(`${agents}/${id}/delete`)
      // The deletion is sent in another place each time.
      const requests = Array.from({ length: 6 }, (_, place) => (place === round % 6 ? remove : start))
      const answers = await Promise.all(requests.map((send) => send()))
      const started = answers.filter(({ status }) => status === 201)
      const calls = rowsOf(await caller.get(`/api/v1/calls?agent_id=${id}`), "calls")
      expect(sortedIds(calls)).toEqual(sortedIds(started.map(({ json }) => json)))
      const agent = await caller.get(`${agents}/${id}`)
      const deleted = answers[round % 6]?.json
      if (started.length > 0) {
        expect(agent.json["archived_at"]).not.toBeNull()
        expect([agent.status, deleted]).toMatchObject([200, { archived: true }])
      } else expect([agent.status, deleted]).toMatchObject([404, { archived: false }])
      const refusals = answers.filter(({ status }) => status !== 201 && status !== 200)
      for (const { json } of refusals) expect(["agent_not_found", "agent_archived"]).toContain(json["error"])
    }
  })

  it("a deletion while calendar events that name the agent are created loses none of them (D-AGENT-5)", async () => {
    for (let round = 0; round < rounds; round++) {
      const caller = await api.caller()
      const id = idOf(await create(caller))
      const book = () => caller.post("/api/v1/calendar/events/create", { ...event, ai_agent_id: id })
      const remove = () => caller.delete(`${agents}/${id}/delete`)
      const requests = Array.from({ length: 6 }, (_, place) => (place === round % 6 ? remove : book))
      const answers = await Promise.all(requests.map((send) => send()))
      const booked = answers.filter(({ status }) => status === 201)
      const events = rowsOf(await caller.get(`/api/v1/calendar/events?ai_agent_id=${id}`), "events")
      expect(sortedIds(events)).toEqual(sortedIds(booked.map(({ json }) => json)))
      expect((await caller.get(`${agents}/${id}`)).status).toBe(booked.length > 0 ? 200 : 404)
      expect(answers[round % 6]?.json).toMatchObject({ archived: booked.length > 0 })
    }
  })

  it("of two accounts that take a phone number at once exactly one gets it, by POST and by PATCH (D-AGENT-6)", async () => {
    for (let round = 0; round < rounds; round++) {
      const number = { phone_number: `+120255502${String(round).padStart(2, "0")}` }
      const callers = [await api.caller(), await api.caller(), await api.caller()]
      const ids = await Promise.all(callers.map(async (caller) => idOf(await create(caller))))
      const answers = await Promise.all(
        callers.map((caller, index) =>
          (index + round) % 2 === 0
            ? create(caller, number)
            : caller.patch(`${agents}/${String(ids[index])}/update`, number)
        )
      )
      expect(statusesOf(answers).filter((status) => status < 300)).toHaveLength(1)
      expect(statusesOf(answers).filter((status) => status === 400)).toHaveLength(2)
      const lists = await Promise.all(callers.map((caller) => caller.get(agents)))
      const numbers = lists.flatMap((list) => rowsOf(list, "agents").map((agent) => agent["phone_number"]))
      expect(numbers.filter((given) => given === number.phone_number)).toHaveLength(1)
    }
  })

  it("of two agents that take an assistant id at once exactly one gets it", async () => {
    const callers = [await api.caller(), await api.caller(), await api.caller()]
    const answers = await Promise.all(callers.map((caller) => create(caller, { assistant_id: "asst_same" })))
    expect(statusesOf(answers).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
  })

  it("simultaneous creates do not exceed the limit of the account (D-AGENT-7)", async () => {
    const caller = await api.caller()
    const answers = await Promise.all(Array.from({ length: maxAgents + 4 }, () => create(caller)))
    expect(statusesOf(answers).filter((status) => status === 201)).toHaveLength(maxAgents)
    expect(answers.filter(({ json }) => json["error"] === "limit_reached")).toHaveLength(4)
    expect(rowsOf(await caller.get(agents), "agents")).toHaveLength(maxAgents)
  })

  it("simultaneous PATCHes of one agent keep the field that each of them sets", async () => {
    const caller = await api.caller()
    const path = `${agents}/${idOf(await create(caller))}`
    const changes = [{ name: "Grace" }, { model: "gpt-x" }, { voice_id: "v1" }, { phone_number: "+12025550299" }]
    const answers = await Promise.all(changes.map((change) => caller.patch(`${path}/update`, change)))
    expect(statusesOf(answers)).toEqual(changes.map(() => 200))
    expect((await caller.get(path)).json).toMatchObject(Object.assign({}, ...changes))
  })
})
