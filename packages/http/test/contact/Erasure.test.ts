import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { idOf, makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"

describe.each(storages)("the erasure of a contact, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  it("POST erase removes the person and reports what it has cleared and what remains (D-ERASE-1, D-ERASE-4)", async () => {
    const caller = await api.caller()
    const body = {
      first_name: "Jo",
      email: "jo@example.com",
      phone_numbers: [{ phone_number: "+12025550101", do_not_call: true }]
    }
    const id = idOf(await caller.post("/api/v1/contacts/create", body, { "idempotency-key": "made" }))
    const event = {
      title: "Jo",
      start_time: "2030-03-04T09:00:00Z",
      end_time: "2030-03-04T09:30:00Z",
      customer_email: "jo@example.com"
    }
    const eventId = idOf(await caller.post("/api/v1/calendar/events/create", event))
    const erased = await caller.post(`/api/v1/contacts/${id}/erase`, { confirm: true })
    expect([erased.status, erased.json]).toEqual([
      200,
      {
        contact_id: id,
        calls: 0,
        tool_calls: 0,
        calendar_events: 1,
        future_calendar_events: 1,
        mails: 0,
        deliveries: 0,
        stored_answers: 1,
        refused_lines: 0,
        remaining: ["do_not_call_list", "sent_webhooks", "sent_mails", "provider_data", "backups"]
      }
    ])
    expect((await caller.get(`/api/v1/contacts/${id}`)).status).toBe(404)
    expect((await caller.get(`/api/v1/calendar/events/${eventId}`)).json).toMatchObject({
      title: "Erased",
      status: "scheduled"
    })
    expect((await caller.post(`/api/v1/contacts/${id}/erase`, { confirm: true })).status).toBe(404)
    const repeated = await caller.post("/api/v1/contacts/create", body, { "idempotency-key": "made" })
    expect(repeated.status).toBe(409)
  })

  it("POST erase without a confirmation is refused and changes nothing", async () => {
    const caller = await api.caller()
    const id = idOf(await caller.post("/api/v1/contacts/create", {}))
    const unconfirmed = await caller.post(`/api/v1/contacts/${id}/erase`, { confirm: false })
    expect([unconfirmed.status, unconfirmed.json]).toEqual([400, refusal("validation_error", "confirm")])
    expect((await caller.post(`/api/v1/contacts/${id}/erase`)).status).toBe(400)
    expect((await caller.get(`/api/v1/contacts/${id}`)).status).toBe(200)
  })

  it("POST erase during a call of the contact gets 409 contact_in_call", async () => {
    const caller = await api.caller({ balance: 10 })
    const agent = await api.run(makeAgent(caller.account.id))
    const id = idOf(await caller.post("/api/v1/contacts/create", { phone_numbers: [{ phone_number: "+12025550102" }] }))
    await caller.post("/api/v1/calls", { phone_number: "+12025550102", agent_id: agent.id, contact_id: id })
    const refused = await caller.post(`/api/v1/contacts/${id}/erase`, { confirm: true })
    expect([refused.status, refused.json["error"]]).toEqual([409, "contact_in_call"])
  })
})
