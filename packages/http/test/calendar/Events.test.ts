import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import type * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Caller,
  event,
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

const base = "/api/v1/calendar/events"
const newYork = TimeZone.make("America/New_York")

describe.each(storages)("calendar events, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const create = async (fields: object = {}) =>
    Number((await caller.post(`${base}/create`, { ...event, ...fields })).json["id"])
  const read = async (id: Schema.Json | undefined) => (await caller.get(`${base}/${textOf(id)}`)).json

  const defaults = {
    description: "",
    event_type: "meeting",
    event_type_display: "Meeting",
    status: "scheduled",
    status_display: "Scheduled",
    location: null,
    has_video_conference: false,
    video_conference_url: "",
    video_conference_provider: "",
    created_by_ai_agent: false,
    is_reminder_enabled: false,
    remind_before_minutes: 30,
    customer: { name: "", email: "", phone: "", notes: "" },
    team: null,
    external_calendars: {},
    external_calendars_status: {}
  }

  const everything = {
    description: "All of it",
    event_type: "video_call",
    status: "confirmed",
    location: "Room 1",
    customer_name: "Jo",
    customer_email: "jo@example.com",
    customer_phone: "555 0100",
    customer_notes: "Likes tea",
    has_video_conference: true,
    video_conference_url: "https://meet.example.com/1",
    video_conference_provider: "Meet",
    is_reminder_enabled: true,
    remind_before_minutes: 10
  }

  it("create returns 201 with the fields of an update's answer (D-CAL-5)", async () => {
    const answer = await caller.post(`${base}/create`, event)
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: aNumber,
      uuid: like(/^[0-9a-f-]{36}$/),
      title: "Demo",
      start_time: "2026-03-09T09:00:00.000Z",
      end_time: "2026-03-09T10:00:00.000Z",
      status: "scheduled",
      message: "Event created"
    })
  })

  it("get returns every field with its default, and ai_agent is absent without an agent (C-2.5-1, C-2.5-6, D-CAL-4)", async () => {
    const id = await create()
    const { uuid, ...shown } = await read(id)
    expect(shown).toEqual({
      ...defaults,
      id,
      title: "Demo",
      start_time: "2026-03-09T09:00:00.000Z",
      end_time: "2026-03-09T10:00:00.000Z",
      duration_minutes: 60,
      ics_url: like(/^\/api\/v1\/calendar\/events\/[0-9a-f-]{36}\/ics\?signature=.+/),
      created_at: aTime,
      updated_at: aTime
    })
    expect(await read(uuid)).toMatchObject({ id })
  })

  it("get returns every field of the create, whose customer fields are not nested (C-2.5-4, C-2.5-5, C-2.5-7, C-2.5-10, C-4.6-5)", async () => {
    const team = await api.run(makeTeam("Sales"))
    const member = await api.caller({ teamIds: [team.id] })
    const agent = await api.run(makeAgent(member.account.id))
    const id = idOf(
      await member.post(`${base}/create`, {
        ...event,
        ...everything,
        ai_agent_id: agent.id,
        team_id: team.id,
        created_by_ai_agent: true
      })
    )
    const { customer_email, customer_name, customer_notes, customer_phone, ...rest } = everything
    expect((await member.get(`${base}/${id}`)).json).toMatchObject({
      ...rest,
      event_type_display: "Video Call",
      status_display: "Confirmed",
      customer: { name: customer_name, email: customer_email, phone: customer_phone, notes: customer_notes },
      ai_agent: { id: agent.id, name: agent.name, assistant_id: agent.assistantId },
      team: { id: team.id, name: "Sales" },
      created_by_ai_agent: true
    })
  })

  it("create names all missing required fields, and null counts as absent (D-CAL-3, D-HTTP-4)", async () => {
    expect((await caller.post(`${base}/create`, { title: null })).json).toEqual(
      refusal("missing_parameter", "title", "start_time", "end_time")
    )
  })

  describe("times (D-HTTP-13, D-HTTP-14)", () => {
    it.each([
      ["2026-03-09T09:00", "2026-03-09T13:00:00.000Z"],
      ["2026-03-09T09:00:30", "2026-03-09T13:00:30.000Z"],
      ["2026-03-09T09:00:30.5", "2026-03-09T13:00:30.500Z"],
      ["2026-03-09T09:00:00Z", "2026-03-09T09:00:00.000Z"],
      ["2026-03-09T09:00:00+05:30", "2026-03-09T03:30:00.000Z"],
      // A time in the gap of 2026-03-08 moves forward. A time in the overlap of 2026-11-01 is the first of the two.
      ["2026-03-08T02:30:00", "2026-03-08T07:30:00.000Z"],
      ["2026-11-01T01:30:00", "2026-11-01T05:30:00.000Z"]
    ])("the start %s in the zone of New York is the instant %s", async (start_time, expected) => {
      const york = await api.caller({ settings: { timeZone: newYork } })
      const answer = await york.post(`${base}/create`, { title: "x", start_time, end_time: "2027-01-01T00:00:00Z" })
      expect(answer.json["start_time"]).toBe(expected)
    })

    it.each([
      ["2026-03-09"],
      ["2026-03-09 09:00:00"],
      ["2026-02-30T09:00:00"],
      ["09/03/2026"],
      ["2026-03-09T24:00:00"],
      [""],
      [1_773_046_800]
    ])("the start %j gets 400 invalid_datetime_format from POST, PUT and PATCH (C-7-8)", async (start_time) => {
      const id = await create()
      for (const answer of [
        await caller.post(`${base}/create`, { ...event, start_time }),
        await caller.put(`${base}/${id}/update`, { start_time }),
        await caller.patch(`${base}/${id}/update`, { start_time })
      ]) {
        expect(answer.status).toBe(400)
        expect(answer.json).toEqual(refusal("invalid_datetime_format", "start_time"))
      }
    })

    it("an end that is not after the start gets 400 invalid_time_range, also when the other time is a stored one (C-2.5-3, C-7-1, C-7-9)", async () => {
      const id = await create()
      for (const answer of [
        await caller.post(`${base}/create`, { ...event, end_time: event.start_time }),
        await caller.put(`${base}/${id}/update`, { end_time: "2026-03-09T08:00:00Z" }),
        await caller.patch(`${base}/${id}/update`, { start_time: "2026-03-09T11:00:00Z" })
      ]) {
        expect([answer.status, answer.json]).toEqual([400, refusal("invalid_time_range")])
      }
    })
  })

  it.each([
    ["title", ""],
    ["title", 1],
    ["event_type", "party"],
    ["status", "open"],
    ["customer_email", "x"],
    ["video_conference_url", "x"],
    ["has_video_conference", "yes"],
    ["is_reminder_enabled", 1],
    ["remind_before_minutes", -1],
    ["remind_before_minutes", 1.5],
    ["ai_agent_id", "a"],
    ["team_id", 0],
    ["send_notifications", "no"],
    ["sync_external_calendars", 0],
    ["location", {}]
  ])("%s = %j gets 400 validation_error from POST, PUT and PATCH (C-2.5-2, C-3.1-1, D-ERR-4)", async (field, value) => {
    const id = await create()
    for (const answer of [
      await caller.post(`${base}/create`, { ...event, [field]: value }),
      await caller.put(`${base}/${id}/update`, { [field]: value }),
      await caller.patch(`${base}/${id}/update`, { [field]: value })
    ]) {
      expect([answer.status, answer.json]).toEqual([400, refusal("validation_error", field)])
    }
  })

  it("null in a PATCH clears location, is accepted for agent and team, and gets validation_error for other fields (D-HTTP-3, D-CAL-15)", async () => {
    const id = await create({ location: "Room 1" })
    const cleared = await caller.patch(`${base}/${id}/update`, { location: null, ai_agent_id: null, team_id: null })
    expect([cleared.status, (await read(id))["location"]]).toEqual([200, null])
    for (const field of ["title", "start_time", "description", "status"]) {
      expect((await caller.patch(`${base}/${id}/update`, { [field]: null })).json).toEqual(
        refusal("validation_error", field)
      )
    }
  })

  it.each([["PUT"], ["PATCH"]])(
    "%s returns { id, uuid, title, start_time, end_time, status, message } (C-4.6-9)",
    async (method) => {
      const id = await create()
      const answer = await caller.ask(`${base}/${id}/update`, { method, body: { title: "New" } })
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id,
          uuid: aText,
          title: "New",
          start_time: "2026-03-09T09:00:00.000Z",
          end_time: "2026-03-09T10:00:00.000Z",
          status: "scheduled",
          message: "Event updated"
        }
      ])
    }
  )

  it("PUT keeps title, times and status that the body omits, resets other fields, and ignores created_by_ai_agent (C-4.6-7, D-CAL-1)", async () => {
    const id = await create({ ...everything, created_by_ai_agent: true })
    await caller.put(`${base}/${id}/update`, { created_by_ai_agent: false })
    expect(await read(id)).toMatchObject({
      ...defaults,
      title: "Demo",
      start_time: "2026-03-09T09:00:00.000Z",
      status: "confirmed",
      status_display: "Confirmed",
      created_by_ai_agent: true
    })
  })

  it("PATCH changes only the fields of the body (C-4.6-6)", async () => {
    const id = await create(everything)
    const before = await read(id)
    await caller.patch(`${base}/${id}/update`, { customer_name: "Li" })
    expect(await read(id)).toEqual({
      ...before,
      customer: { name: "Li", email: "jo@example.com", phone: "555 0100", notes: "Likes tea" },
      updated_at: aTime
    })
  })

  it("every status may follow every status (C-3.1-2, D-CAL-6)", async () => {
    const id = await create()
    const statuses = ["scheduled", "confirmed", "cancelled", "completed", "no_show"]
    for (const from of statuses) {
      for (const to of statuses) {
        await caller.patch(`${base}/${id}/update`, { status: from })
        expect((await caller.patch(`${base}/${id}/update`, { status: to })).json["status"]).toBe(to)
      }
    }
  })

  it("unknown references get 404 agent_not_found, 404 team_not_found, 403 team_access_denied (C-7-16, C-7-19, C-7-20)", async () => {
    const id = await create()
    const team = await api.run(makeTeam())
    const foreign = await api.run(makeAgent((await api.caller()).account.id))
    for (const [fields, status, code] of [
      [{ ai_agent_id: 99_999 }, 404, "agent_not_found"],
      [{ ai_agent_id: foreign.id }, 404, "agent_not_found"],
      [{ team_id: 99_999 }, 404, "team_not_found"],
      [{ team_id: team.id }, 403, "team_access_denied"]
    ] as const) {
      for (const answer of [
        await caller.post(`${base}/create`, { ...event, ...fields }),
        await caller.put(`${base}/${id}/update`, fields),
        await caller.patch(`${base}/${id}/update`, fields)
      ]) {
        expect([answer.status, answer.json["error"]]).toEqual([status, code])
      }
    }
  })

  describe("the cancel of a calendar event", () => {
    it("returns { id, uuid, status: cancelled, message } and appends the reason to the customer's notes (C-3.1-5, C-3.1-8, C-4.6-10, C-4.6-11)", async () => {
      const id = await create({ customer_notes: "Likes tea" })
      const answer = await caller.post(`${base}/${id}/cancel`, { reason: "Ill" })
      expect([answer.status, answer.json]).toEqual([
        200,
        { id, uuid: aText, status: "cancelled", message: "Event cancelled" }
      ])
      expect(await read(id)).toMatchObject({ status: "cancelled", customer: { notes: "Likes tea\nIll" } })
    })

    it("shortens a reason that is too long for the customer notes, and reports it", async () => {
      const notes = "x".repeat(9_990)
      const id = await create({ customer_notes: notes })
      const answer = await caller.post(`${base}/${id}/cancel`, { reason: "The customer is ill" })
      expect([answer.status, answer.json["reason_shortened"], answer.json["message"]]).toEqual([
        200,
        true,
        expect.stringContaining("10000 characters")
      ])
      expect(await read(id)).toMatchObject({ customer: { notes: `${notes}\nThe cust…` } })
      expect((await caller.patch(`${base}/${id}/update`, { customer_notes: `${notes}\nThe cust…` })).status).toBe(200)
    })

    it("succeeds for a cancelled event, and appends the reason (D-CAL-7)", async () => {
      const id = await create()
      await caller.post(`${base}/${id}/cancel`)
      expect((await caller.post(`${base}/${id}/cancel`, { reason: "Again" })).status).toBe(200)
      expect(await read(id)).toMatchObject({ customer: { notes: "Again" } })
    })

    it("fails with validation_error when the reason is not a text", async () => {
      const id = await create()
      expect((await caller.post(`${base}/${id}/cancel`, { reason: 1 })).json).toEqual(
        refusal("validation_error", "reason")
      )
    })
  })

  it("an unknown event gets 404 not_found from get, update, cancel and ics (C-7-18)", async () => {
    for (const id of ["99999", "0b7f3c9e-8f7e-4d5e-9d5f-0b7f3c9e8f7e"]) {
      for (const answer of [
        await caller.get(`${base}/${id}`),
        await caller.put(`${base}/${id}/update`, {}),
        await caller.patch(`${base}/${id}/update`, {}),
        await caller.post(`${base}/${id}/cancel`),
        await caller.get(`${base}/${id}/ics`)
      ]) {
        expect([answer.status, answer.json]).toEqual([404, refusal("not_found")])
      }
    }
  })

  it("with reject_conflicts of the body or the account an overlap gets 409 slot_unavailable, also between two simultaneous creates (D-CAL-9)", async () => {
    const strict = await api.caller({ settings: { rejectConflicts: true } })
    const answers = await Promise.all([strict.post(`${base}/create`, event), strict.post(`${base}/create`, event)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const easy = await api.caller()
    await easy.post(`${base}/create`, event)
    expect((await easy.post(`${base}/create`, event)).status).toBe(201)
    const refused = await easy.post(`${base}/create`, { ...event, reject_conflicts: true })
    expect([refused.status, refused.json]).toEqual([409, refusal("slot_unavailable")])
  })

  it("with require_available a time outside working hours gets 409 slot_unavailable with the nearest free times (D-CAL-11)", async () => {
    const early = { ...event, start_time: "2041-01-07T05:00:00Z", end_time: "2041-01-07T05:30:00Z" }
    const refused = await caller.post(`${base}/create`, { ...early, require_available: true })
    expect([refused.status, refused.json]).toEqual([
      409,
      {
        error: "slot_unavailable",
        message: "The account does not offer this time. See details for the nearest free times",
        details: [
          ["09:00", "09:30"],
          ["09:30", "10:00"],
          ["10:00", "10:30"]
        ].map((times) => {
          const [start, end] = times.map((time) => `2041-01-07T${time}:00.000Z`)
          return { field: "start_time", code: "free_time", message: `Free from ${start} to ${end}`, start, end }
        })
      }
    ])
    const free = { start_time: "2041-01-07T09:00:00.000Z", end_time: "2041-01-07T09:30:00.000Z" }
    const booked = { ...early, ...free, require_available: true }
    expect((await caller.post(`${base}/create`, booked)).status).toBe(201)
    expect((await caller.post(`${base}/create`, booked)).json).toMatchObject({ error: "slot_unavailable" })
    expect((await caller.post(`${base}/create`, early)).status).toBe(201)
  })

  it("reading needs can_read_calendar, and writing needs can_write_calendar (C-5-7, C-5-8, D-KEY-3)", async () => {
    const id = await create()
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_calendar"] })
    const writer = await api.caller({ account: caller.account, permissions: ["can_write_calendar"] })
    for (const path of [base, `${base}/${id}`, `${base}/${id}/ics`, "/api/v1/calendar/availability"]) {
      expect((await reader.get(path)).status).toBe(200)
      expect((await writer.get(path)).json).toEqual(refusal("permission_denied"))
    }
    for (const as of [reader, writer]) {
      const expected = as === reader ? 403 : 200
      expect((await as.put(`${base}/${id}/update`, {})).status).toBe(expected)
      expect((await as.patch(`${base}/${id}/update`, {})).status).toBe(expected)
      expect((await as.post(`${base}/${id}/cancel`)).status).toBe(expected)
      expect((await as.post(`${base}/create`, event)).status).toBe(as === reader ? 403 : 201)
    }
  })
})
