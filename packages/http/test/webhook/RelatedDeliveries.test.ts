import { Calls } from "@frontdesk/core/call/Calls"
import { providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aTime, event, idOf, makeTestApi, refusal, rowsOf, storages, type TestApi, textOf } from "../testApi.ts"

const subscribed = ["call.started", "call.ended", "calendar.created", "calendar.updated"]

describe.each(storages)("the deliveries about one call or calendar event, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  /** Makes two webhooks of an account, and a call and a calendar event that a team mate sees too. */
  const setUp = async () => {
    const team = await api.run(makeTeam())
    const [caller, mate, stranger] = [
      await api.caller({ balance: 10, teamIds: [team.id] }),
      await api.caller({ teamIds: [team.id] }),
      await api.caller()
    ]
    const webhooks = [caller, caller, mate].map(async (owner) =>
      idOf(
        await owner.post("/api/v1/webhooks/create", {
          name: "Hook",
          url: "https://hooks.example.com/in",
          subscribed_events: subscribed
        })
      )
    )
    const [first, second] = await Promise.all(webhooks)
    const agent = await api.run(makeAgent(caller.account.id, { teamId: team.id }))
    const call = (await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })).json
    const ref = textOf(call["call_id"])
    await api.run(
      Effect.gen(function* () {
        const { applyReport } = yield* Calls
        const report = { _tag: "Answered", at: yield* DateTime.now } as const
        yield* applyReport({ providerCallId: providerCallId(ref), ref, report })
      })
    )
    const created = await caller.post("/api/v1/calendar/events/create", { ...event, team_id: team.id })
    return { call, caller, event: idOf(created), first, mate, second, stranger }
  }

  it("each event of a call is listed for every webhook of the account, by both ids of the call (D-DEL-34)", async () => {
    const { call, caller, first, mate, second, stranger } = await setUp()
    const answer = await caller.get(`/api/v1/calls/${textOf(call["call_id"])}/deliveries`)
    expect(answer.json).toMatchObject({ count: 2, count_is_capped: false, page: 1 })
    const rows = rowsOf(answer, "deliveries")
    expect(new Set(rows.map((row) => row["webhook_id"]))).toEqual(new Set([first, second]))
    expect(rows[0]).toEqual({
      id: rows[0]?.["id"],
      webhook_id: rows[0]?.["webhook_id"],
      event_type: "call.started",
      status: "pending",
      created_at: aTime,
      next_attempt_at: aTime,
      attempts: []
    })
    const path = `/api/v1/calls/${textOf(call["id"])}/deliveries`
    expect((await caller.get(path)).json).toEqual(answer.json)
    expect(rowsOf(await caller.get(`${path}?page=2&limit=1`), "deliveries")).toEqual([rows[1]])
    expect((await mate.get(path)).json).toMatchObject({ count: 0, deliveries: [] })
    expect((await stranger.get(path)).json).toEqual(refusal("not_found"))
    expect((await caller.get(`${path}?page=0`)).json).toEqual(refusal("invalid_parameter", "page"))
  })

  it("each change of a calendar event is listed, newest first, by its id and its UUID (D-DEL-34)", async () => {
    const { caller, event: id, mate, stranger } = await setUp()
    const path = `/api/v1/calendar/events/${id}/deliveries`
    await caller.patch(`/api/v1/calendar/events/${id}/update`, { title: "Later" })
    const answer = await caller.get(path)
    expect(rowsOf(answer, "deliveries").map((row) => row["event_type"])).toEqual([
      "calendar.updated",
      "calendar.updated",
      "calendar.created",
      "calendar.created"
    ])
    const uuid = textOf((await caller.get(`/api/v1/calendar/events/${id}`)).json["uuid"])
    expect((await caller.get(`/api/v1/calendar/events/${uuid}/deliveries`)).json).toEqual(answer.json)
    expect((await mate.get(path)).json).toMatchObject({ count: 0 })
    expect((await stranger.get(path)).json).toEqual(refusal("not_found"))
  })

  it("they need the permission to read webhooks, and not the one to read calls (D-DEL-34)", async () => {
    const { call, caller } = await setUp()
    const path = `/api/v1/calls/${textOf(call["id"])}/deliveries`
    const { account } = caller
    const reader = await api.caller({ account, permissions: ["can_read_webhooks"] })
    expect((await reader.get(path)).status).toBe(200)
    const other = await api.caller({ account, permissions: ["can_read_calls", "can_read_calendar"] })
    expect((await other.get(path)).json).toMatchObject({ error: "permission_denied" })
  })
})
