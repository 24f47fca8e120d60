import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { Money } from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { figures, fold } from "@frontdesk/testing/suite/StatisticCounts"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, rowsOf, storages, type TestApi } from "../testApi.ts"

const path = "/api/v1/statistics"

describe.each(storages)("statistics, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  const makeCaller = async () => {
    const settings = { ...defaultSettings, pricePerMinute: Money.make(250_000), timeZone: TimeZone.make("Asia/Tokyo") }
    const caller = await api.caller({ balance: 10, settings })
    const agent = await api.run(makeAgent(caller.account.id))
    return { caller, agent }
  }

  it("GET returns totals, every day of the range and every agent that did something (D-STAT-1)", async () => {
    const { agent, caller } = await makeCaller()
    const started = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })
    expect(started.status).toBe(201)
    await api.run(fold(caller.account, 1))
    await caller.post("/api/v1/calendar/events/create", {
      title: "Demo",
      event_type: "meeting",
      start_time: "2030-01-01T09:00:00Z",
      end_time: "2030-01-01T09:30:00Z"
    })
    const answer = await caller.get(path)
    const { json } = answer
    expect(answer.status).toBe(200)
    const today = figures({ calls: 1, bookings: 1 })
    expect(json).toMatchObject({ time_zone: "Asia/Tokyo", is_complete: true, totals: today })
    const days = rowsOf(answer, "days")
    expect(days.length).toBe(30)
    expect(days.at(-1)).toEqual({ date: json["end_date"], ...today })
    expect(days[0]).toEqual({ date: json["start_date"], ...figures({}) })
    expect(json["agents"]).toEqual([
      { agent: { id: agent.id, name: agent.name, is_archived: false }, ...figures({ calls: 1 }) },
      { agent: null, ...figures({ bookings: 1 }) }
    ])
    expect((await caller.get(`${path}?agent_id=${agent.id}`)).json["totals"]).toEqual(figures({ calls: 1 }))
  })

  it("GET shows money in units of the currency", async () => {
    const { agent, caller } = await makeCaller()
    const day = {
      day: CalendarDate.make("2026-03-02"),
      agentId: agent.id,
      figures: figures({ spend: Money.make(1_250_000) })
    }
    await api.run(Effect.flatMap(StatisticStore, (store) => store.add(caller.account.id, [day])))
    const { json } = await caller.get(`${path}?start_date=2026-03-02&end_date=2026-03-02`)
    expect(json["totals"]).toEqual({ ...figures({}), spend: 1.25 })
  })

  it("GET refuses ranges that are reversed or too long, and a key without can_read_account", async () => {
    const { caller } = await makeCaller()
    const get = (query: string) => caller.get(`${path}?${query}`)
    const refused = { status: 400, json: refusal("invalid_parameter") }
    expect(await get("start_date=2026-03-02&end_date=2026-03-01")).toMatchObject(refused)
    expect(await get("start_date=2024-01-01&end_date=2025-01-01")).toMatchObject(refused)
    expect(await get("start_date=2026-02-30")).toMatchObject({ status: 400 })
    expect(await get("agent_id=x")).toMatchObject({ status: 400 })
    expect(rowsOf(await get("start_date=2024-01-01&end_date=2024-12-31"), "days").length).toBe(366)
    const weak = await api.caller({ permissions: ["can_read_calls"] })
    expect(await weak.get(path)).toMatchObject({ status: 403 })
  })
})
