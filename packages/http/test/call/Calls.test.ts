import { Calls } from "@frontdesk/core/call/Calls"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as Money from "@frontdesk/core/values/Money"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Caller,
  makeTestApi,
  refusal,
  storages,
  type TestApi,
  aNumber,
  aText,
  aTime,
  idOf,
  like,
  textOf
} from "../testApi.ts"

const price = Money.Money.make(100_000)

describe.each(storages)("calls, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  /** Makes an account with funds and an agent with a phone number, and returns functions to start calls. */
  const makeCaller = async (balance = 10, maxRunningCalls = 10) => {
    const caller = await api.caller({ balance, settings: { pricePerMinute: price, maxRunningCalls } })
    const agent = await api.run(makeAgent(caller.account.id))
    const body = { phone_number: "+12025550111", agent_id: agent.id }
    return { caller, agent, body }
  }

  const report = (callId: unknown, ...reports: ReadonlyArray<ProviderReport>) =>
    api.run(
      Effect.flatMap(Calls, (calls) =>
        Effect.forEach(reports, (report) =>
          calls.applyReport({ providerCallId: providerCallId(String(callId)), ref: String(callId), report })
        )
      )
    )

  const callShape = {
    id: aNumber,
    call_id: like(/^call_/),
    status: "queued",
    type: "outbound",
    phone_number: "+12025550111",
    started_at: null,
    ended_at: null,
    duration_seconds: null,
    summary: null,
    transcript: null,
    recording_url: null,
    contact: null,
    team: null,
    billing: { status: "pending", initial_charge: 0.1, final_charge: 0, total_charge: 0.1 },
    ended_reason: null,
    variables: {},
    metadata: null,
    created_at: aTime,
    updated_at: aText
  }

  it("POST returns 201 with the whole call, queued and outbound, and a message (C-2.2-2, C-2.2-3, C-4.2-4, D-CALL-5)", async () => {
    const { agent, body, caller } = await makeCaller()
    const answer = await caller.post("/api/v1/calls", body)
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      ...callShape,
      agent: { id: agent.id, name: agent.name, assistant_id: agent.assistantId },
      unresolved_variables: [],
      message: "Call queued"
    })
  })

  it("agent_id accepts a number, a text of digits and an assistant id (C-4.2-1)", async () => {
    const { agent, body, caller } = await makeCaller()
    for (const agent_id of [agent.id, String(agent.id), agent.assistantId]) {
      expect((await caller.post("/api/v1/calls", { ...body, agent_id })).status).toBe(201)
    }
  })

  it("missing_parameter names all missing required fields (D-CALL-1, D-ERR-3)", async () => {
    const { caller } = await makeCaller()
    expect((await caller.post("/api/v1/calls", {})).json).toEqual(
      refusal("missing_parameter", "phone_number", "agent_id")
    )
    expect((await caller.post("/api/v1/calls", { agent_id: null })).json).toEqual(
      refusal("missing_parameter", "phone_number", "agent_id")
    )
  })

  it.each([
    ["12025550111"],
    ["+0123456789"],
    ["+1 202 555 0111"],
    ["+123456"],
    ["+1234567890123456"],
    [""],
    [12025550111]
  ])("the phone number %j gets 400 invalid_phone_number (D-CALL-2)", async (phone_number) => {
    const { body, caller } = await makeCaller()
    const answer = await caller.post("/api/v1/calls", { ...body, phone_number })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refusal("invalid_phone_number", "phone_number"))
  })

  it.each([
    ["a name in upper case", { Name: "x" }, "variables.Name"],
    ["a name of 65 characters", { [`a${"b".repeat(64)}`]: 1 }, `variables.a${"b".repeat(64)}`],
    ["a text of 1,001 characters", { a: "x".repeat(1_001) }, "variables.a"],
    ["an object", { a: {} }, "variables.a"],
    ["51 variables", Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, 1])), "variables"]
  ])("variables with %s get validation_error (D-CALL-3)", async (_name, variables, field) => {
    const { body, caller } = await makeCaller()
    expect((await caller.post("/api/v1/calls", { ...body, variables })).json).toEqual(
      refusal("validation_error", field)
    )
  })

  it("a start that breaks several rules, and its dry run, get the first error in the order of D-CALL-6 (C-4.2-2, C-4.2-3)", async () => {
    const { agent, body, caller } = await makeCaller(0, 1)
    const silent = await api.run(makeAgent(caller.account.id, { phoneNumber: null }))
    const barred = "+12025550199"
    await caller.post("/api/v1/contacts/create", { phone_numbers: [{ phone_number: barred, do_not_call: true }] })
    const refusals: ReadonlyArray<readonly [unknown, number, string]> = [
      [{ phone_number: "x", agent_id: 999 }, 400, "invalid_phone_number"],
      [{ phone_number: barred, agent_id: 999, contact_id: 999 }, 404, "agent_not_found"],
      [{ phone_number: barred, agent_id: silent.id, contact_id: 999 }, 404, "contact_not_found"],
      [{ phone_number: barred, agent_id: silent.id }, 400, "agent_phone_number_missing"],
      [{ phone_number: barred, agent_id: agent.id }, 403, "do_not_call"],
      [body, 402, "insufficient_funds"]
    ]
    for (const [asked, status, code] of refusals) {
      const answer = await caller.post("/api/v1/calls", asked)
      expect([answer.status, answer.json["error"]]).toEqual([status, code])
      expect((await caller.post("/api/v1/calls", { ...Object(asked), dry_run: true })).json["error"]).toBe(code)
    }
  })

  it("with a limit of 1 the second running call gets 429 concurrency_limit_reached, before the balance is checked (D-CALL-7)", async () => {
    const { body, caller } = await makeCaller(0.1, 1)
    expect((await caller.post("/api/v1/calls", body)).status).toBe(201)
    const second = () => caller.post("/api/v1/calls", body, { "idempotency-key": "second" })
    const answer = await second()
    expect(answer.status).toBe(429)
    expect(answer.json).toEqual(refusal("concurrency_limit_reached"))
    expect(answer.headers.get("retry-after")).toBe("30")
    // The repeat is refused again and is not a replay, because nothing was executed.
    const { headers, text } = await second()
    expect([text, headers.get("idempotent-replayed"), headers.get("retry-after")]).toEqual([answer.text, null, "30"])
  })

  it("a dry run makes every check, renders the variables, names unresolved ones, and changes nothing (D-CALL-12)", async () => {
    const { agent, body, caller } = await makeCaller()
    const answer = await caller.post("/api/v1/calls", {
      ...body,
      variables: { greeting: "Hello {{ first_name }}{{nobody}}", count: 2 },
      dry_run: true
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      dry_run: true,
      agent: { id: agent.id, assistant_id: agent.assistantId },
      phone_number: "+12025550111",
      contact: null,
      variables: { greeting: "Hello ", count: 2 },
      hold: 0.1
    })
    expect(answer.json["unresolved_variables"]).toContain("nobody")
    expect((await caller.get("/api/v1/calls")).json["count"]).toBe(0)
  })

  it("a dry run ignores its idempotency key, and its answer is not stored (D-IDEM-12)", async () => {
    const { body, caller } = await makeCaller()
    const headers = { "idempotency-key": "dry" }
    for (const count of [1, 2]) {
      const answer = await caller.post("/api/v1/calls", { ...body, variables: { count }, dry_run: true }, headers)
      expect([answer.status, answer.json["variables"]]).toMatchObject([200, { count }])
      expect(answer.headers.get("idempotent-replayed")).toBeNull()
    }
    expect((await caller.post("/api/v1/calls", body, headers)).status).toBe(201)
  })

  it("the contact is the given one, else the only contact of the account with the number, else null (C-2.2-4, D-CALL-4)", async () => {
    const { body, caller } = await makeCaller()
    const id = idOf(
      await caller.post("/api/v1/contacts/create", {
        first_name: "Jo",
        last_name: "Li",
        email: "jo@example.com",
        phone_numbers: [{ phone_number: "+12025550111" }]
      })
    )
    expect((await caller.post("/api/v1/calls", body)).json["contact"]).toEqual({
      id,
      name: "Jo Li",
      email: "jo@example.com",
      company: null,
      status: "new",
      stage: "lead",
      last_call_date: null
    })
    expect((await caller.post("/api/v1/calls", { ...body, phone_number: "+12025550112" })).json["contact"]).toBeNull()
    const given = await caller.post("/api/v1/calls", { ...body, phone_number: "+12025550112", contact_id: id })
    expect(given.json["contact"]).toMatchObject({ id })
  })

  it("a start that the provider refuses gets 502, or 503 if the provider may accept the call later, and the failed call is free (D-CALL-10)", async () => {
    const { body, caller } = await makeCaller()
    for (const [retryable, status, code] of [
      [false, 502, "provider_error"],
      [true, 503, "provider_unavailable"]
    ] as const) {
      await api.run(
        Effect.flatMap(FakeCallProvider, (fake) =>
          fake.answerWith(() => ({ _tag: "Refused", code: "no", reason: "inner words", retryable }))
        )
      )
      const answer = await caller.post("/api/v1/calls", body)
      expect(answer.status).toBe(status)
      expect(answer.json).toEqual(refusal(code))
      expect(answer.text).not.toContain("inner words")
    }
    await api.run(
      Effect.flatMap(FakeCallProvider, (fake) =>
        fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: providerCallId(ref) }))
      )
    )
    expect((await caller.get("/api/v1/calls?status=failed")).json).toMatchObject({
      count: 2,
      calls: [{ billing: { total_charge: 0 } }, {}]
    })
  })

  describe("GET /api/v1/calls/{call_id}", () => {
    it("returns the call with all its fields, by its database id and by its call id (C-2.2-1, C-2.2-6, C-3.2-1, C-4.2-5)", async () => {
      const { body, caller } = await makeCaller()
      const { call_id, id } = (await caller.post("/api/v1/calls", { ...body, metadata: { order: [1] } })).json
      // The call is created now, so its times lie 45 seconds before and after now. A provider's clock may differ by 60.
      const startedAt = DateTime.makeUnsafe(Date.now() - 45_000)
      const endedAt = DateTime.add(startedAt, { milliseconds: 90_500 })
      await report(
        call_id,
        { _tag: "Answered", at: startedAt },
        {
          _tag: "Ended",
          status: "completed",
          answeredAt: startedAt,
          endedAt,
          reason: "hung up"
        },
        { _tag: "Transcript", text: "Hello" },
        { _tag: "Recording", url: "https://example.com/r.mp3" },
        { _tag: "Summary", text: "A call" }
      )
      const byId = await caller.get(`/api/v1/calls/${textOf(id)}`)
      expect(byId.json).toMatchObject({
        id,
        call_id,
        status: "completed",
        started_at: DateTime.formatIso(startedAt),
        ended_at: DateTime.formatIso(endedAt),
        duration_seconds: 90,
        summary: "A call",
        transcript: "Hello",
        recording_url: "https://example.com/r.mp3",
        billing: { status: "charged", initial_charge: 0.1, final_charge: 0.1, total_charge: 0.2 },
        ended_reason: "hung up",
        metadata: { order: [1] }
      })
      expect(byId.json["message"]).toBeUndefined()
      expect((await caller.get(`/api/v1/calls/${textOf(call_id)}`)).json).toEqual(byId.json)
    })

    it("returns the team of the agent as the team of the call (C-2.2-5)", async () => {
      const team = await api.run(makeTeam("Sales"))
      const caller = await api.caller({ teamIds: [team.id] })
      const agent = await api.run(makeAgent(caller.account.id, { teamId: team.id }))
      const answer = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })
      expect(answer.json["team"]).toEqual({ id: team.id, name: "Sales" })
    })

    it("an unknown id of any form gets 404 not_found (C-7-18)", async () => {
      const { caller } = await makeCaller()
      for (const id of ["call_nobody", "999999", "0", "9999999999999999", "a".repeat(3_000), "%2F"]) {
        const answer = await caller.get(`/api/v1/calls/${id}`)
        expect([answer.status, answer.json["error"]]).toEqual([404, "not_found"])
      }
    })
  })

  describe("GET /api/v1/calls (D-CALL-18)", () => {
    let caller: Caller
    let first = 0
    let agentId = 0
    beforeAll(async () => {
      const made = await makeCaller()
      caller = made.caller
      agentId = made.agent.id
      const contact = (await caller.post("/api/v1/contacts/create", { first_name: "Nora" })).json["id"]
      first = Number((await caller.post("/api/v1/calls", made.body)).json["id"])
      await caller.post("/api/v1/calls", { ...made.body, phone_number: "+12025550122", contact_id: contact })
    })

    it("returns the newest call first", async () => {
      expect((await caller.get("/api/v1/calls")).json).toMatchObject({
        count: 2,
        calls: [{ id: first + 1 }, { id: first }]
      })
    })

    it.each([
      ["status=queued", 2],
      ["status=completed", 0],
      ["type=outbound", 2],
      ["type=inbound", 0],
      ["agent_id=999", 0],
      ["contact_id=999", 0],
      ["phone_number=%2B12025550122", 1],
      ["phone_number=+12025550122", 1],
      ["search=550122", 1],
      ["search=%2B1202", 2],
      ["search=nor", 1],
      ["search=nor&type=inbound", 0],
      ["start_date=2000-01-01", 2],
      ["start_date=2999-01-01", 0],
      ["end_date=2000-01-01", 0],
      ["limit=1", 2]
    ])("the query %s finds %i calls", async (query, count) => {
      expect((await caller.get(`/api/v1/calls?${query}`)).json["count"]).toBe(count)
    })

    it("agent_id selects the calls of the agent", async () => {
      expect((await caller.get(`/api/v1/calls?agent_id=${agentId}`)).json["count"]).toBe(2)
    })

    it.each([
      ["status=open"],
      ["type=x"],
      ["agent_id=a"],
      ["contact_id=0"],
      ["phone_number=1"],
      ["search="],
      [`search=${"x".repeat(255)}`],
      ["start_date=1"],
      ["end_date=2026-01-01&start_date=2026-01-02"]
    ])("the query %s gets 400 invalid_parameter", async (query) => {
      expect((await caller.get(`/api/v1/calls?${query}`)).json).toEqual(
        refusal("invalid_parameter", query.slice(0, query.indexOf("=")))
      )
    })
  })

  it("the OpenAPI document has the pattern of a phone number", async () => {
    expect((await api.ask("/openapi.json")).json["components"]).toMatchObject({
      schemas: { CallStart: { properties: { phone_number: { pattern: String.raw`^\+[1-9]\d{6,14}$` } } } }
    })
  })

  it("start and hang-up need can_write_calls, and reading needs can_read_calls (C-5-4, D-KEY-3)", async () => {
    const reader = await api.caller({ permissions: ["can_read_calls"] })
    const writer = await api.caller({ permissions: ["can_write_calls"] })
    expect((await reader.post("/api/v1/calls", {})).status).toBe(403)
    expect((await reader.get("/api/v1/calls")).status).toBe(200)
    expect((await writer.post("/api/v1/calls", {})).status).toBe(400)
    expect((await reader.post("/api/v1/calls/1/hang-up")).status).toBe(403)
    expect((await writer.post("/api/v1/calls/999999999/hang-up")).status).toBe(404)
    expect((await writer.get("/api/v1/calls/1")).status).toBe(403)
  })
})
