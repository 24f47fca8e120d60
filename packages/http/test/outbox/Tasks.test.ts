import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { maxRetried } from "@frontdesk/core/outbox/Renewal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aNumber, aText, type Caller, event, idOf, makeTestApi, refusal, storages, type TestApi } from "../testApi.ts"
import { completeDue, deadLetter, deadLetteredAt } from "./deadLetters.ts"

const base = "/api/v1/tasks"

describe.each(storages)("the dead-lettered tasks of an account (D-OUT-11), on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  let other: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  beforeEach(async () => {
    caller = await api.caller()
    other = await api.caller()
  })
  afterAll(() => api.close())

  /** Creates a calendar event of a caller with two dead-lettered tasks, and returns the ids of event, mail and write. */
  const deadLettered = async (owner: Caller = caller) => {
    const id = idOf(await owner.post("/api/v1/calendar/events/create", { ...event, customer_email: "jo@example.com" }))
    const [mail = 0, write = 0] = await api.run(deadLetter(CalendarEventId.make(id)))
    return { id, mail, write }
  }

  it("the list has the tasks, newest first, without personal data", async () => {
    const { id, mail, write } = await deadLettered()
    const answer = await caller.get(`${base}/dead-lettered`)
    const about = { event_id: id, attempts: 1, dead_lettered_at: deadLetteredAt }
    expect(answer.json).toEqual({
      count: 2,
      page: 1,
      limit: 20,
      pages: 1,
      tasks: [
        { id: write, kind: "calendar", mail: null, provider: "google", reason: "calendar: gone", ...about },
        { id: mail, kind: "mail", mail: "created", provider: null, reason: "mail: unauthorized", ...about }
      ]
    })
    expect(answer.text).not.toContain("jo@example.com")
  })

  it("the list selects a kind and a page", async () => {
    const { mail, write } = await deadLettered()
    expect((await caller.get(`${base}/dead-lettered?kind=mail`)).json).toMatchObject({
      count: 1,
      tasks: [{ id: mail }]
    })
    expect((await caller.get(`${base}/dead-lettered?page=1&limit=1`)).json).toMatchObject({
      count: 2,
      pages: 2,
      tasks: [{ id: write }]
    })
    expect((await caller.get(`${base}/dead-lettered?kind=fax`)).json).toEqual(refusal("invalid_parameter", "kind"))
  })

  it("a retried task is due, and no longer in the list", async () => {
    const { mail, write } = await deadLettered()
    const answer = await caller.post(`${base}/${mail}/retry`)
    expect([answer.status, answer.json]).toEqual([200, { message: aText }])
    expect((await caller.get(`${base}/dead-lettered`)).json).toMatchObject({ count: 1, tasks: [{ id: write }] })
    expect(await api.run(completeDue)).toBe(1)
  })

  it("a second retry of a task is 404 not_found, as for an id that no task has", async () => {
    const { mail } = await deadLettered()
    await caller.post(`${base}/${mail}/retry`)
    const again = await caller.post(`${base}/${mail}/retry`)
    expect([again.status, again.json]).toEqual([404, refusal("not_found")])
    expect((await caller.post(`${base}/9007199254740991/retry`)).text).toBe(again.text)
  })

  it("another account neither sees the tasks nor retries them", async () => {
    const { mail } = await deadLettered()
    expect((await other.get(`${base}/dead-lettered`)).json).toMatchObject({ count: 0, tasks: [] })
    expect((await other.post(`${base}/${mail}/retry`)).status).toBe(404)
    expect((await other.post(`${base}/retry`)).json).toMatchObject({ retried: 0, next_before_id: null })
    expect((await caller.get(`${base}/dead-lettered`)).json).toMatchObject({ count: 2 })
    expect(await api.run(completeDue)).toBe(0)
  })

  it("retry without a kind retries every task of the account, and with a kind those of the kind", async () => {
    await deadLettered()
    await deadLettered(other)
    expect((await caller.post(`${base}/retry`, { kind: "mail" })).json).toEqual({
      retried: 1,
      next_before_id: null,
      message: "1 task queued"
    })
    expect((await caller.post(`${base}/retry`)).json).toMatchObject({ retried: 1 })
    expect((await other.get(`${base}/dead-lettered`)).json).toMatchObject({ count: 2 })
    expect(await api.run(completeDue)).toBe(2)
  })

  /** Dead-letters the maximum number of writes of a calendar event that a request retries. */
  const deadLetterMany = async (id: number) => {
    const work = Array.from({ length: maxRetried }, () => ({
      _tag: "SyncEvent" as const,
      provider: "google" as const,
      eventId: CalendarEventId.make(id)
    }))
    const now = DateTime.makeUnsafe(deadLetteredAt)
    await api.run(
      Effect.gen(function* () {
        const store = yield* OutboxStore
        yield* store.add(caller.account.id, work, now)
        const tasks = yield* store.claim(now, DateTime.add(now, { hours: 1 }), 2 * maxRetried)
        yield* Effect.forEach(tasks, (task) => store.deadLetter(task, "timeout", now), { discard: true })
      })
    )
  }

  it("a retry of more tasks than the maximum leaves the older ones for the next request (D-OUT-11)", async () => {
    const { id } = await deadLettered()
    await deadLetterMany(id)
    const { json: first } = await caller.post(`${base}/retry`)
    expect(first).toMatchObject({ retried: maxRetried })
    const { json: second } = await caller.post(`${base}/retry`, { before_id: first["next_before_id"] })
    expect(second).toMatchObject({ retried: 2, next_before_id: null })
    expect(await api.run(completeDue)).toBe(maxRetried + 2)
  })

  it("a retry of a kind examines at most the maximum number of tasks, of any kind (D-OUT-11)", async () => {
    const { id } = await deadLettered()
    await deadLetterMany(id)
    const { json: first } = await caller.post(`${base}/retry`, { kind: "mail" })
    expect(first).toEqual({ retried: 0, next_before_id: aNumber, message: "0 tasks queued" })
    const { json: second } = await caller.post(`${base}/retry`, { kind: "mail", before_id: first["next_before_id"] })
    expect(second).toEqual({ retried: 1, next_before_id: null, message: "1 task queued" })
    expect(await api.run(completeDue)).toBe(1)
  })

  it("a retry with a misspelled field is 400 validation_error, and retries nothing (D-HTTP-2)", async () => {
    await deadLettered()
    const { json, status } = await caller.post(`${base}/retry`, { kinds: "mail" })
    expect([status, json]).toEqual([400, refusal("validation_error", "kinds")])
    expect(json["details"]).toMatchObject([{ message: "This field is not known. Did you mean kind?" }])
    expect((await caller.get(`${base}/dead-lettered`)).json).toMatchObject({ count: 2 })
  })

  it("reading needs can_read_calendar, and retrying needs can_write_calendar", async () => {
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_calendar"] })
    const writer = await api.caller({ account: caller.account, permissions: ["can_write_calendar"] })
    expect((await reader.get(`${base}/dead-lettered`)).status).toBe(200)
    expect((await reader.post(`${base}/retry`)).status).toBe(403)
    expect((await writer.get(`${base}/dead-lettered`)).status).toBe(403)
    expect((await writer.post(`${base}/retry`)).status).toBe(200)
  })
})
