import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aTime, type Caller, makeTestApi, refusal, storages, type TestApi, textOf } from "../testApi.ts"

const path = "/api/v1/calendar/busy"
const newYork = TimeZone.make("America/New_York")

describe.each(storages)("GET /api/v1/calendar/busy, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller({ settings: { timeZone: newYork } })
  })
  afterAll(() => api.close())

  const busyAt = (...times: ReadonlyArray<readonly [start: string, end: string]>) =>
    times.map(([start, end]) => ({ start: Date.parse(start), end: Date.parse(end) }))

  it("an account without external calendars gets no times for today and the next six days", async () => {
    const { json } = await caller.get(path)
    expect(json).toMatchObject({ time_zone: "America/New_York", busy_times: [], count: 0, external_calendars: {} })
    const days = Date.parse(textOf(json["end_date"])) - Date.parse(textOf(json["start_date"]))
    expect(days).toBe(6 * 86_400_000)
  })

  it("returns the merged times within the dates, in the zone of the account, with the providers and the time of each read (D-EXT-23)", async () => {
    const fake = await api.run(FakeCalendarSync)
    await api.run(
      Effect.gen(function* () {
        yield* fake.connect(caller.account.id, ["google", "outlook"])
        yield* fake.setBusy(
          "google",
          busyAt(["2030-03-04T04:00:00Z", "2030-03-04T06:00:00Z"], ["2030-03-04T15:00:00Z", "2030-03-04T16:00:00Z"])
        )
        yield* fake.setBusy("outlook", busyAt(["2030-03-04T15:30:00Z", "2030-03-04T17:00:00Z"]))
      })
    )
    const { json } = await caller.get(`${path}?start_date=2030-03-04&end_date=2030-03-04`)
    expect(json).toEqual({
      start_date: "2030-03-04",
      end_date: "2030-03-04",
      time_zone: "America/New_York",
      busy_times: [
        { start: "2030-03-04T00:00:00-05:00", end: "2030-03-04T01:00:00-05:00", providers: ["google"] },
        { start: "2030-03-04T10:00:00-05:00", end: "2030-03-04T12:00:00-05:00", providers: ["google", "outlook"] }
      ],
      count: 2,
      truncated: false,
      next_start: null,
      external_calendars: { google: aTime, outlook: aTime },
      unavailable: []
    })
    const stranger = await api.caller()
    expect((await stranger.get(`${path}?start_date=2030-03-04&end_date=2030-03-04`)).json["count"]).toBe(0)
  })

  it("has at most 5,000 times, and says where to continue", async () => {
    const many = await api.caller()
    const fake = await api.run(FakeCalendarSync)
    const start = Date.parse("2030-04-01T00:00:00Z")
    const times = Array.from({ length: 5_001 }, (_, n) => ({
      start: start + n * 120_000,
      end: start + n * 120_000 + 1
    }))
    await api.run(Effect.andThen(fake.connect(many.account.id, ["apple"]), fake.setBusy("apple", times)))
    const { json } = await many.get(`${path}?start_date=2030-04-01&end_date=2030-04-30`)
    expect(json).toMatchObject({ count: 5_000, truncated: true, next_start: "2030-04-07T22:40:00+00:00" })
    expect(json["busy_times"]).toHaveLength(5_000)
  })

  it("names a calendar that cannot be read in unavailable, without its cause, instead of failing", async () => {
    const connected = await api.caller()
    const fake = await api.run(FakeCalendarSync)
    await api.run(fake.connect(connected.account.id, ["outlook"]))
    const down = new CalendarSyncError({ reason: "unauthorized", cause: "a secret cause" })
    await api.run(fake.answerBusyWith(Effect.fail(down)))
    const answer = await connected.get(`${path}?start_date=2030-03-04&end_date=2030-03-04`)
    expect(answer.json).toMatchObject({ busy_times: [], external_calendars: {}, unavailable: ["outlook"] })
    expect(answer.text).not.toContain("secret")
    await api.run(fake.answerBusyWith(Effect.void))
  })

  it.each([
    ["start_date=2030-3-4", "invalid_parameter_format", "start_date"],
    ["start_date=2030-03-04&end_date=2030-03-03", "invalid_parameter", "end_date"],
    ["start_date=2030-03-04&end_date=2030-05-05", "invalid_parameter", "end_date"]
  ] as const)("the query %s gets 400 %s", async (query, code, field) => {
    const answer = await caller.get(`${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([400, refusal(code, field)])
  })
})
