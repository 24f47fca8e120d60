import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aNumber, aText, type Caller, idOf, makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"

const base = "/api/v1/calendar/events"
const newYork = TimeZone.make("America/New_York")

describe.each(storages)("GET /api/v1/calendar/events, on %s", (storage) => {
  let api: TestApi
  let lister: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    lister = await api.caller({ settings: { timeZone: newYork } })
    const agent = await api.run(makeAgent(lister.account.id))
    const at = (start_time: string, fields: object = {}) =>
      lister.post(`${base}/create`, { title: start_time, start_time, end_time: "2027-01-01T00:00:00Z", ...fields })
    await at("2026-03-10T00:00:00", { status: "confirmed", event_type: "busy", customer_email: "Jo@example.com" })
    await at("2026-03-09T23:59:59", { ai_agent_id: agent.id })
    await at("2026-03-09T00:00:00", { location: "Room 1" })
  })
  afterAll(() => api.close())

  it("returns count, page, limit, pages and events in the order of their start (C-4.6-2, C-8-1, D-PAGE-3)", async () => {
    const { json } = await lister.get(base)
    expect(json).toMatchObject({ count: 3, page: 1, limit: 20, pages: 1 })
    expect(json["events"]).toMatchObject([
      { title: "2026-03-09T00:00:00" },
      { title: "2026-03-09T23:59:59" },
      { title: "2026-03-10T00:00:00" }
    ])
  })

  it("an item has exactly the fields of the contract, and ai_agent is absent without an agent (C-4.6-3)", async () => {
    const { events } = (await lister.get(`${base}?limit=1`)).json
    expect(events).toEqual([
      {
        id: aNumber,
        uuid: aText,
        title: "2026-03-09T00:00:00",
        event_type: "meeting",
        status: "scheduled",
        start_time: "2026-03-09T04:00:00.000Z",
        end_time: "2027-01-01T00:00:00.000Z",
        duration_minutes: aNumber,
        location: "Room 1",
        has_video_conference: false,
        video_conference_url: "",
        created_by_ai_agent: false,
        customer: { name: "", email: "", phone: "" }
      }
    ])
  })

  // The dates are days in the time zone of the account, and both are included.
  it.each([
    ["start_date=2026-03-09&end_date=2026-03-09", 2],
    ["start_date=2026-03-10", 1],
    ["end_date=2026-03-09", 2],
    ["end_date=2026-03-08", 0],
    ["status=confirmed", 1],
    ["event_type=busy", 1],
    ["customer_email=jo@EXAMPLE.com", 1],
    ["ai_agent_id=99999", 0],
    ["team_id=99999", 0],
    ["contact_id=99999", 0],
    ["start_date=2026-03-10&overlapping=true", 3],
    ["start_date=2026-03-10&end_date=2026-03-10&overlapping=true&status=confirmed", 1],
    ["end_date=2026-03-08&overlapping=true", 0],
    ["start_date=2027-01-01&overlapping=true", 0],
    ["start_date=2026-12-31&end_date=2026-12-31&overlapping=true", 3],
    ["start_date=2026-12-31&end_date=2026-12-31&overlapping=false", 0],
    ["page=2&limit=2", 3]
  ])("the query %s finds %i calendar events (C-4.6-1, D-CAL-8)", async (query, count) => {
    expect((await lister.get(`${base}?${query}`)).json["count"]).toBe(count)
  })

  it("contact_id finds the events with a number or the address of a contact that the caller sees (D-CAL-21)", async () => {
    const caller = await api.caller()
    const contact = idOf(
      await caller.post("/api/v1/contacts/create", {
        email: "ana@example.com",
        phone_numbers: [{ phone_number: "+12025550177" }]
      })
    )
    const at = (title: string, fields: object) =>
      caller.post(`${base}/create`, {
        title,
        start_time: `2030-03-04T10:0${title}:00Z`,
        end_time: "2030-03-04T11:00:00Z",
        ...fields
      })
    await at("1", { customer_phone: "+12025550177" })
    await at("2", { customer_email: "Ana@example.com" })
    await at("3", { customer_phone: "+12025550178" })
    const found = (await caller.get(`${base}?contact_id=${contact}`)).json
    expect(found["events"]).toMatchObject([{ title: "1" }, { title: "2" }])
    expect(found["count"]).toBe(2)
    expect((await lister.get(`${base}?contact_id=${contact}`)).json["count"]).toBe(0)
    const blind = await api.caller({ permissions: ["can_read_calendar"] })
    expect((await blind.get(base)).json["count"]).toBe(0)
    const refused = await blind.get(`${base}?contact_id=${contact}`)
    expect([refused.status, refused.json]).toEqual([403, refusal("permission_denied")])
  })

  it.each([
    ["start_date=2026-3-9", "start_date"],
    ["end_date=tomorrow", "end_date"],
    ["start_date=2026-03-10&end_date=2026-03-09", "end_date"],
    ["event_type=x", "event_type"],
    ["ai_agent_id=x", "ai_agent_id"],
    ["team_id=x", "team_id"],
    ["contact_id=x", "contact_id"],
    ["overlapping=1", "overlapping"]
  ])("the query %s gets 400 invalid_parameter (C-7-10)", async (query, field) => {
    expect((await lister.get(`${base}?${query}`)).json).toEqual(refusal("invalid_parameter", field))
  })
})
