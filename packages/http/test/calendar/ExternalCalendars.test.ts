import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { caldavAccount, caldavCalendars, FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aText, aTime, type Caller, idOf, makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"

const base = "/api/v1/calendar/connections"
const password = Redacted.value(caldavAccount.password)
const account = { username: caldavAccount.username, password }
const work = caldavCalendars[0]?.url ?? ""

describe.each(storages)("the connections of an account to external calendars (D-EXT-21), on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  let other: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  beforeEach(async () => {
    await answerWith(Effect.void)
    caller = await api.caller()
    other = await api.caller()
  })
  afterAll(() => api.close())

  const answerWith = (answer: Effect.Effect<void, CalendarSyncError>) =>
    api.run(Effect.flatMap(FakeCalendarConnector, (fake) => fake.answerWith(answer)))

  const connect = (by: Caller = caller, calendar = work) => by.post(`${base}/caldav`, { ...account, calendar })

  it("the list of an account without connections has the providers that the server offers", async () => {
    expect((await caller.get(base)).json).toEqual({ connections: [], providers: ["apple", "google", "outlook"] })
  })

  it("a CalDAV server without a chosen calendar is answered with its calendars, and nothing is connected", async () => {
    const { json, status } = await caller.post(`${base}/caldav`, account)
    expect(status).toBe(200)
    expect(json).toEqual({
      calendars: [
        { url: work, name: "Work", is_writable: true },
        { url: caldavCalendars[1]?.url, name: "", is_writable: false }
      ]
    })
    expect((await caller.get(base)).json).toMatchObject({ connections: [] })
  })

  it("a chosen calendar is connected, and no answer has the password", async () => {
    const connected = await connect()
    const view = { provider: "apple", calendar: work, status: "connected", conflicts: 0, created_at: aTime }
    expect([connected.status, connected.json]).toEqual([201, { ...view, updated_at: aTime, message: aText }])
    const listed = await caller.get(base)
    expect(listed.json).toEqual({
      connections: [{ ...view, updated_at: aTime }],
      providers: ["apple", "google", "outlook"]
    })
    expect(connected.text + listed.text).not.toContain(password)
  })

  it("a second connection replaces the first one", async () => {
    const first = await connect()
    const second = await connect()
    expect(second.json["created_at"]).toBe(first.json["created_at"])
    expect((await caller.get(base)).json["connections"]).toHaveLength(1)
  })

  it.each([
    ["a wrong password", { password: "hunter2-hunter2" }, "calendar_refused", 422],
    ["a calendar that does not exist", { calendar: "https://dav.example.com/jo/none/" }, "calendar_refused", 422],
    ["a calendar that cannot be written", { calendar: caldavCalendars[1]?.url }, "calendar_refused", 422],
    ["a user name with a colon", { username: "a:b" }, "validation_error", 400],
    ["a password with a control character", { password: "hunter2\n" }, "validation_error", 400],
    ["a password of another type", { password: 7 }, "validation_error", 400]
  ])("%s is refused, changes nothing and is not quoted", async (_, change, code, status) => {
    await connect()
    const before = (await caller.get(base)).text
    const answer = await caller.post(`${base}/caldav`, { ...account, calendar: work, ...change })
    expect([answer.status, answer.json["error"]]).toEqual([status, code])
    expect(answer.text).not.toContain("hunter2")
    expect((await caller.get(base)).text).toBe(before)
  })

  it("a missing user name and password are named", async () => {
    expect((await caller.post(`${base}/caldav`, {})).json).toEqual(refusal("missing_parameter", "username", "password"))
  })

  it("a server that cannot be reached is 503 provider_unavailable, without a detail of the network", async () => {
    await answerWith(Effect.fail(new CalendarSyncError({ reason: "transport", cause: "ECONNREFUSED 10.0.0.1" })))
    for (const body of [account, { ...account, calendar: work }]) {
      const answer = await caller.post(`${base}/caldav`, body)
      expect([answer.status, answer.json]).toEqual([503, refusal("provider_unavailable")])
      expect(answer.text).not.toContain("10.0.0.1")
    }
  })

  it("an Idempotency-Key is ignored, because even a digest of the password is not stored", async () => {
    const key = { "idempotency-key": "same" }
    await caller.post(`${base}/caldav`, { ...account, calendar: work }, key)
    const again = await caller.post(`${base}/caldav`, { ...account, password: "wrong", calendar: work }, key)
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([422, null])
    expect(again.json).toEqual(refusal("calendar_refused"))
  })

  it("conflicts counts the calendar events ahead whose copy a person has changed or deleted", async () => {
    await connect()
    const book = async (day: string, status: "conflict" | "gone" | "synced") => {
      const times = { start_time: `${day}T09:00:00Z`, end_time: `${day}T10:00:00Z` }
      const id = CalendarEventId.make(
        idOf(await caller.post("/api/v1/calendar/events/create", { title: "Demo", ...times }))
      )
      await api.run(
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const event = Option.getOrThrow(yield* events.findAnywhere({ id }))
          yield* events.update({ ...event, externalCalendarsStatus: { apple: { status, at: DateTime.makeUnsafe(0) } } })
        })
      )
    }
    await book("2099-03-02", "conflict")
    await book("2099-03-03", "gone")
    await book("2099-03-04", "synced")
    await book("2020-03-02", "conflict")
    expect((await caller.get(base)).json).toMatchObject({ connections: [{ conflicts: 2 }] })
  })

  it("a connection whose credentials are lost has the status credentials_lost", async () => {
    await connect()
    await api.run(
      Effect.gen(function* () {
        const connections = yield* CalendarConnections
        const key = { accountId: caller.account.id, provider: "apple" } as const
        const { credentials } = Option.getOrThrow(yield* connections.open(key))
        expect(yield* connections.renew(key, credentials, Redacted.make(""))).toBe(true)
      })
    )
    expect((await caller.get(base)).json).toMatchObject({ connections: [{ status: "credentials_lost" }] })
  })

  it("the check of a connection says whether the calendar can be used", async () => {
    await connect()
    const check = () => caller.post(`${base}/apple/check`)
    expect((await check()).json).toEqual({ provider: "apple", is_usable: false, message: aText })
    await api.run(Effect.flatMap(FakeCalendarSync, (fake) => fake.connect(caller.account.id, ["apple"])))
    expect((await check()).json).toEqual({ provider: "apple", is_usable: true, message: aText })
  })

  it("a deleted connection is gone, and its check and another delete are 404", async () => {
    await connect()
    expect((await caller.delete(`${base}/apple/delete`)).json).toEqual({ message: aText })
    expect((await caller.get(base)).json).toMatchObject({ connections: [] })
    expect((await caller.delete(`${base}/apple/delete`)).json).toEqual(refusal("not_found"))
    expect((await caller.post(`${base}/apple/check`)).json).toEqual(refusal("not_found"))
    expect((await caller.delete(`${base}/fax/delete`)).json).toEqual(refusal("invalid_parameter", "provider"))
  })

  it("another account sees no connection and deletes none", async () => {
    await connect()
    expect((await other.get(base)).json).toMatchObject({ connections: [] })
    expect((await other.delete(`${base}/apple/delete`)).status).toBe(404)
    expect((await other.post(`${base}/apple/check`)).status).toBe(404)
    expect((await caller.get(base)).json["connections"]).toHaveLength(1)
  })

  it("reading needs can_read_account, and every change can_manage_account", async () => {
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_account"] })
    const manager = await api.caller({ account: caller.account, permissions: ["can_manage_account"] })
    expect((await reader.get(base)).status).toBe(200)
    expect((await connect(reader)).status).toBe(403)
    expect((await reader.post(`${base}/oauth/begin`, { provider: "google" })).status).toBe(403)
    expect((await connect(manager)).status).toBe(201)
    expect((await manager.get(base)).status).toBe(403)
  })
})
