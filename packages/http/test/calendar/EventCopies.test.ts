import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aText, type Caller, event, idOf, makeTestApi, storages, type TestApi } from "../testApi.ts"

const base = "/api/v1/calendar/events"
const at = "2026-03-02T09:00:00.123Z"

describe.each(storages)("the copies of calendar events in external calendars, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  /** Creates a calendar event whose copy in Google a person has changed. */
  const conflict = async (owner: Caller = caller, fields: object = {}) => {
    const id = CalendarEventId.make(idOf(await owner.post(`${base}/create`, { ...event, ...fields })))
    await api.run(
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const found = Option.getOrThrow(yield* events.findAnywhere({ id }))
        const google = { status: "conflict" as const, at: DateTime.makeUnsafe(at) }
        yield* events.update({ ...found, externalCalendarsStatus: { google } })
      })
    )
    return id
  }

  const resolve = (id: number | string, provider: string, body: object, by: Caller = caller) =>
    by.post(`${base}/${id}/external-calendars/${provider}/resolve`, body)

  it("an event has the state of its copy in each external calendar, with the time since which it lasts (D-EXT-3)", async () => {
    const id = await conflict()
    expect((await caller.get(`${base}/${id}`)).json["external_calendars_status"]).toEqual({
      google: { status: "conflict", at }
    })
  })

  it("external_calendars has the id of the copy under the key of each calendar (C-2.5-8, D-EXT-1)", async () => {
    const id = CalendarEventId.make(idOf(await caller.post(`${base}/create`, event)))
    await api.run(
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const found = Option.getOrThrow(yield* events.findAnywhere({ id }))
        yield* events.update({ ...found, externalCalendars: { apple: { id: "copy-1", revision: null } } })
      })
    )
    expect((await caller.get(`${base}/${id}`)).json["external_calendars"]).toEqual({ apple: "copy-1" })
  })

  it.each(["overwrite", "keep_theirs"])(
    "the resolution %s of a conflict becomes a task of the outbox",
    async (resolution) => {
      const id = await conflict()
      const answer = await resolve(id, "google", { resolution })
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          id,
          uuid: aText,
          external_calendars_status: { google: { status: "pending", at: aText } },
          message: "The external calendar is being updated"
        }
      ])
      const tasks = await api.run(
        Effect.gen(function* () {
          const now = yield* DateTime.now
          return yield* (yield* OutboxStore).claim(now, DateTime.add(now, { minutes: 1 }), 1_000)
        })
      )
      expect(tasks.map(({ work }) => work)).toContainEqual({
        _tag: "SyncEvent",
        provider: "google",
        eventId: id,
        resolution
      })
    }
  )

  it("a resolution without a conflict returns 200, and the message states that there is none (D-EXT-6)", async () => {
    const id = await conflict()
    const answer = await resolve(id, "outlook", { resolution: "overwrite" })
    expect([answer.status, answer.json["message"]]).toEqual([200, "There is no conflict in this external calendar"])
    expect(answer.json["external_calendars_status"]).toEqual({ google: { status: "conflict", at } })
  })

  it("a team mate does not see the external calendars of an event, and cannot resolve a conflict there (D-EXT-7)", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    const id = await conflict(owner, { team_id: team.id })
    const answer = await resolve(id, "google", { resolution: "overwrite" }, mate)
    expect([answer.status, answer.json["error"]]).toEqual([403, "permission_denied"])
    const seen = (await mate.get(`${base}/${id}`)).json
    expect([seen["external_calendars"], seen["external_calendars_status"]]).toEqual([{}, {}])
    expect((await owner.get(`${base}/${id}`)).json["external_calendars_status"]).toEqual({
      google: { status: "conflict", at }
    })
    // A list names the calendars with a conflict to the owner alone.
    expect((await owner.get(base)).json["events"]).toMatchObject([{ id, copy_conflicts: ["google"] }])
    expect((await mate.get(base)).json["events"]).toEqual([expect.not.objectContaining({ copy_conflicts: ["google"] })])
  })

  it("an unknown event gets not_found, a calendar invalid_parameter, and a resolution missing_parameter or validation_error", async () => {
    const id = await conflict()
    const answers = [
      await resolve(999_999, "google", { resolution: "overwrite" }),
      await resolve(id, "yahoo", { resolution: "overwrite" }),
      await resolve(id, "google", {}),
      await resolve(id, "google", { resolution: "merge" })
    ]
    expect(answers.map(({ json, status }) => [status, json["error"]])).toEqual([
      [404, "not_found"],
      [400, "invalid_parameter"],
      [400, "missing_parameter"],
      [400, "validation_error"]
    ])
  })
})
