import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aTime, type Caller, makeTestApi, refusal, storages, type TestApi, idOf, textOf } from "../testApi.ts"

const path = "/api/v1/calendar/availability"
const wholeDay = [["00:00", "24:00"]] as const
const wholeWeek = {
  mon: wholeDay,
  tue: wholeDay,
  wed: wholeDay,
  thu: wholeDay,
  fri: wholeDay,
  sat: wholeDay,
  sun: wholeDay
}
const monday = "start_date=2030-03-04&end_date=2030-03-04"

describe.each(storages)("GET /api/v1/calendar/availability, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller({ settings: { timeZone: TimeZone.make("America/New_York") } })
  })
  afterAll(() => api.close())

  it("returns user_id, dates, duration_minutes, available_slots in the account's zone with its offset, and count (C-2.6-1, C-4.6-12, C-4.6-14, D-HTTP-15)", async () => {
    const { json } = await caller.get(`${path}?${monday}&duration=180`)
    expect(json).toEqual({
      user_id: caller.account.id,
      start_date: "2030-03-04",
      end_date: "2030-03-04",
      duration_minutes: 180,
      time_zone: "America/New_York",
      available_slots: [
        { start: "2030-03-04T09:00:00-05:00", end: "2030-03-04T12:00:00-05:00", duration_minutes: 180 },
        { start: "2030-03-04T12:00:00-05:00", end: "2030-03-04T15:00:00-05:00", duration_minutes: 180 }
      ],
      count: 2,
      truncated: false,
      next_start: null,
      external_calendars: {}
    })
  })

  it("busy times of the account's external calendars are not free, and external_calendars has the time of each read", async () => {
    const connected = await api.caller()
    const fake = await api.run(FakeCalendarSync)
    await api.run(
      Effect.gen(function* () {
        yield* fake.connect(connected.account.id, ["google", "apple"])
        yield* fake.setBusy("google", [
          { start: Date.parse("2030-03-04T09:00:00Z"), end: Date.parse("2030-03-04T16:30:00Z") }
        ])
      })
    )
    const { json } = await connected.get(`${path}?${monday}&duration=30`)
    expect(json).toMatchObject({
      available_slots: [{ start: "2030-03-04T16:30:00+00:00" }],
      count: 1,
      external_calendars: { google: aTime, apple: aTime }
    })
    expect((await caller.get(`${path}?${monday}&duration=180`)).json["count"]).toBe(2)
  })

  it("a request gets 503 provider_unavailable with the name of a calendar that cannot be read, unless a field is wrong (D-EXT-8)", async () => {
    const connected = await api.caller()
    const fake = await api.run(FakeCalendarSync)
    await api.run(fake.connect(connected.account.id, ["apple"]))
    const down = new CalendarSyncError({ reason: "unauthorized", cause: "a secret cause" })
    await api.run(fake.answerBusyWith(Effect.fail(down)))
    const answer = await connected.get(`${path}?${monday}`)
    expect([answer.status, answer.json]).toEqual([503, refusal("provider_unavailable")])
    expect(answer.json["message"]).toContain("The CalDAV calendar of the account")
    expect(answer.text).not.toContain("secret")
    expect((await connected.get(`${path}?${monday}&duration=0`)).status).toBe(400)
    await api.run(fake.answerBusyWith(Effect.void))
  })

  it("time_zone returns the same slots in another zone, whose name may be in upper or lower case", async () => {
    const { json } = await caller.get(`${path}?${monday}&duration=180&time_zone=europe/paris`)
    expect(json).toMatchObject({
      time_zone: "Europe/Paris",
      available_slots: [{ start: "2030-03-04T15:00:00+01:00" }, { start: "2030-03-04T18:00:00+01:00" }]
    })
  })

  it("the time of a calendar event is not free, and that of a cancelled one is free (D-CAL-12)", async () => {
    const id = idOf(
      await caller.post("/api/v1/calendar/events/create", {
        title: "x",
        start_time: "2030-03-04T10:00:00",
        end_time: "2030-03-04T11:00:00"
      })
    )
    expect((await caller.get(`${path}?${monday}&duration=60`)).json["count"]).toBe(7)
    await caller.post(`/api/v1/calendar/events/${id}/cancel`)
    expect((await caller.get(`${path}?${monday}&duration=60`)).json["count"]).toBe(8)
  })

  it("exclude_event_id ignores one calendar event of the account, by its id or its UUID (D-AVL-14)", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    const fake = await api.run(FakeCalendarSync)
    const create = (caller: Caller, start: string, end: string) =>
      caller.post("/api/v1/calendar/events/create", {
        title: "x",
        start_time: `2030-03-04T${start}:00Z`,
        end_time: `2030-03-04T${end}:00Z`,
        team_id: team.id
      })
    const made = await create(owner, "10:00", "11:00")
    await create(owner, "12:00", "13:00")
    const count = async (query: string) => (await owner.get(`${path}?${monday}&duration=60${query}`)).json["count"]
    expect(await count("")).toBe(6)
    expect(await count(`&exclude_event_id=${idOf(made)}`)).toBe(7)
    expect(await count(`&exclude_event_id=${textOf(made.json["uuid"]).toUpperCase()}`)).toBe(7)

    const foreign = await create(mate, "10:00", "11:00")
    for (const id of [idOf(foreign), 999_999, "00000000-0000-4000-8000-000000000000"]) {
      const answer = await owner.get(`${path}?${monday}&exclude_event_id=${id}`)
      expect([answer.status, answer.json]).toEqual([404, refusal("not_found")])
    }
    const wrong = await owner.get(`${path}?${monday}&exclude_event_id=x`)
    expect([wrong.status, wrong.json]).toEqual([400, refusal("invalid_parameter", "exclude_event_id")])

    // The copy of the event in an external calendar is ignored too.
    await api.run(
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const found = yield* events.findAnywhere({ id: CalendarEventId.make(idOf(made)) })
        const event = Option.getOrThrow(found)
        yield* events.update({ ...event, externalCalendars: { google: { id: "copy", revision: null } } })
        yield* fake.connect(owner.account.id, ["google"])
        yield* fake.setBusy("google", [
          { start: Date.parse("2030-03-04T10:00:00Z"), end: Date.parse("2030-03-04T11:30:00Z") }
        ])
      })
    )
    // 10:00 to 11:00 is free, and 11:00 to 11:30 is busy.
    expect(await count(`&exclude_event_id=${idOf(made)}`)).toBe(6)
    expect(await count("")).toBe(5)
  })

  it("the default duration is 30 minutes, and the default dates are today and the next six days (D-AVL-1, D-AVL-2)", async () => {
    const { json } = await caller.get(path)
    expect(json["duration_minutes"]).toBe(30)
    const [start, end] = [Date.parse(textOf(json["start_date"])), Date.parse(textOf(json["end_date"]))]
    expect((end - start) / 86_400_000).toBe(6)
  })

  it.each([["0"], ["181"], ["-5"], ["30.5"], ["abc"], [""]])(
    "duration=%s gets 400 invalid_duration",
    async (duration) => {
      const answer = await caller.get(`${path}?duration=${duration}`)
      expect([answer.status, answer.json["error"]]).toEqual([400, "invalid_duration"])
    }
  )

  it.each([["1"], ["180"]])("duration=%s is accepted (C-4.6-13)", async (duration) => {
    expect((await caller.get(`${path}?${monday}&duration=${duration}`)).status).toBe(200)
  })

  it.each([
    ["start_date=2030-3-4", "start_date"],
    ["end_date=04.03.2030", "end_date"],
    ["start_date=2030-02-30", "start_date"]
  ])("the query %s gets 400 invalid_parameter_format (C-7-11)", async (query, field) => {
    expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal("invalid_parameter_format", field))
  })

  it.each([
    ["start_date=2030-03-05&end_date=2030-03-04", "end_date"],
    ["start_date=2030-01-01&end_date=2030-03-04", "end_date"],
    ["time_zone=Mars/Olympus", "time_zone"]
  ])("the query %s gets 400 invalid_parameter", async (query, field) => {
    expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal("invalid_parameter", field))
  })

  it.each([
    ["time_zone=zz&duration=0", "invalid_duration", ["duration", "time_zone"]],
    ["duration=0&start_date=x", "invalid_parameter_format", ["start_date", "duration"]]
  ])(
    "%s gets 400 %s: the first wrong field decides, in the order dates, duration, others (D-HTTP-17)",
    async (query, code, fields) => {
      expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal(code, ...fields))
    }
  )

  it("limit truncates the slots, and the answer has truncated and the start of the next slot", async () => {
    const { json } = await caller.get(`${path}?${monday}&duration=60&limit=3`)
    expect(json).toMatchObject({ count: 3, truncated: true, next_start: "2030-03-04T12:00:00-05:00" })
    expect((await caller.get(`${path}?${monday}&duration=60&limit=8`)).json).toMatchObject({
      count: 8,
      truncated: false,
      next_start: null
    })
  })

  it.each(["0", "-1", "x"])("limit=%s gets 400 invalid_parameter", async (limit) => {
    expect((await caller.get(`${path}?limit=${limit}`)).json).toEqual(refusal("invalid_parameter", "limit"))
  })

  it("slots of one minute get 400 invalid_parameter for 62 days, and at most 5,000 are returned for 13 days (D-AVL-3, D-AVL-4)", async () => {
    const range = (end: string) => `${path}?start_date=2030-01-01&end_date=${end}&duration=1&limit=999999`
    expect((await caller.get(range("2030-03-03"))).json).toEqual(refusal("invalid_parameter", "end_date"))
    expect((await caller.get(range("2030-01-13"))).json).toMatchObject({ count: 9 * 480, truncated: false })
    const whole = await api.caller({ settings: { workingHours: wholeWeek } })
    expect((await whole.get(range("2030-01-13"))).json).toMatchObject({ count: 5_000, truncated: true })
  })

  it("62 days are accepted (D-AVL-3)", async () => {
    expect((await caller.get(`${path}?start_date=2030-01-01&end_date=2030-03-03`)).status).toBe(200)
  })
})
