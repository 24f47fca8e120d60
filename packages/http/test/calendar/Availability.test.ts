import { CalendarSyncError } from "@frontdesk/core/calendar/CalendarSync"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aTime, type Caller, makeWorld, refusal, storages, type World, idOf, textOf } from "../world.ts"

const path = "/api/v1/calendar/availability"
const monday = "start_date=2030-03-04&end_date=2030-03-04"

describe.each(storages)("Contract 4.6, availability, on %s", (storage) => {
  let world: World
  let caller: Caller
  beforeAll(async () => {
    world = await makeWorld(storage)
    caller = await world.caller({ settings: { timeZone: TimeZone.make("America/New_York") } })
  })
  afterAll(() => world.close())

  it("answers user_id, dates, duration_minutes, available_slots in the account's zone with its offset, and count", async () => {
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
      external_calendars: {}
    })
  })

  it("outside calendars take their time too, and external_calendars says when each was read", async () => {
    const connected = await world.caller()
    const fake = await world.run(FakeCalendarSync)
    await world.run(
      Effect.gen(function* () {
        yield* fake.connect(connected.account.id, ["google", "apple"])
        yield* fake.occupy("google", [
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

  it("an outside calendar that cannot be read is 503 provider_unavailable, and names it", async () => {
    const connected = await world.caller()
    const fake = await world.run(FakeCalendarSync)
    await world.run(fake.connect(connected.account.id, ["outlook"]))
    const down = new CalendarSyncError({ reason: "unauthorized", cause: "a secret cause" })
    await world.run(fake.answerBusyWith(Effect.fail(down)))
    const answer = await connected.get(`${path}?${monday}`)
    expect([answer.status, answer.json]).toEqual([503, refusal("provider_unavailable")])
    expect(answer.json["message"]).toContain("outlook")
    expect(answer.text).not.toContain("secret")
    await world.run(fake.answerBusyWith(Effect.void))
    expect((await connected.get(`${path}?${monday}&duration=0`)).status).toBe(400)
  })

  it("time_zone writes the same slots in another zone, read in any capitals", async () => {
    const { json } = await caller.get(`${path}?${monday}&duration=180&time_zone=europe/paris`)
    expect(json).toMatchObject({
      time_zone: "Europe/Paris",
      available_slots: [{ start: "2030-03-04T15:00:00+01:00" }, { start: "2030-03-04T18:00:00+01:00" }]
    })
  })

  it("an event takes its time, a cancelled one does not", async () => {
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

  it("duration is 30 by default, and no dates are today to today + 6 (Decisions 7)", async () => {
    const { json } = await caller.get(path)
    expect(json["duration_minutes"]).toBe(30)
    const [start, end] = [Date.parse(textOf(json["start_date"])), Date.parse(textOf(json["end_date"]))]
    expect((end - start) / 86_400_000).toBe(6)
  })

  it.each([["0"], ["181"], ["-5"], ["30.5"], ["abc"], [""]])(
    "duration=%s is 400 invalid_duration",
    async (duration) => {
      const answer = await caller.get(`${path}?duration=${duration}`)
      expect([answer.status, answer.json["error"]]).toEqual([400, "invalid_duration"])
    }
  )

  it.each([["1"], ["180"]])("duration=%s is taken", async (duration) => {
    expect((await caller.get(`${path}?${monday}&duration=${duration}`)).status).toBe(200)
  })

  it.each([
    ["start_date=2030-3-4", "start_date"],
    ["end_date=04.03.2030", "end_date"],
    ["start_date=2030-02-30", "start_date"]
  ])("%s is 400 invalid_parameter_format", async (query, field) => {
    expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal("invalid_parameter_format", field))
  })

  it.each([
    ["start_date=2030-03-05&end_date=2030-03-04", "end_date"],
    ["start_date=2030-01-01&end_date=2030-03-04", "end_date"],
    ["time_zone=Mars/Olympus", "time_zone"]
  ])("%s is 400 invalid_parameter", async (query, field) => {
    expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal("invalid_parameter", field))
  })

  it.each([
    ["time_zone=zz&duration=0", "invalid_duration", ["duration", "time_zone"]],
    ["duration=0&start_date=x", "invalid_parameter_format", ["start_date", "duration"]]
  ])(
    "%s is 400 %s: the first wrong field decides, in the order dates, duration, others",
    async (query, code, fields) => {
      expect((await caller.get(`${path}?${query}`)).json).toEqual(refusal(code, ...fields))
    }
  )

  it("62 days can be asked for", async () => {
    expect((await caller.get(`${path}?start_date=2030-01-01&end_date=2030-03-03`)).status).toBe(200)
  })
})
