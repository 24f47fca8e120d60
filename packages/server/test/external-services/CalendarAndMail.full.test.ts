import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it, onTestFinished } from "vitest"
import { linesOf } from "../support/logLines.ts"
import { openServices, pollOptions } from "./calendarAndMail.ts"

const isInstalled = CaldavServer.isInstalled(CaldavServer.radicale)

const reason = isInstalled ? "" : " (skipped: radicale is not installed)"

const zoe = "zoe@example.com"

/** A calendar event at 10:00 in the time zone of the account, which is 15:00 UTC. */
const event = {
  title: "Demo",
  start_time: "2030-01-07T10:00:00",
  end_time: "2030-01-07T11:00:00",
  customer_name: "Zoë",
  customer_email: zoe
}

const postgres = async (): Promise<Record<string, string>> => {
  const scope = await Effect.runPromise(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return { FRONTDESK_DATABASE_URL: await Effect.runPromise(Scope.provide(TestDatabase.make, scope)) }
}

const storages: ReadonlyArray<readonly [string, () => Promise<Record<string, string>>]> = [
  ["SQLite", async () => ({})],
  ["PostgreSQL", postgres]
]

describe.skipIf(!isInstalled)(`a server with a mail server and a calendar${reason}`, () => {
  it.each(storages)(
    "on %s: mail and external calendar follow a calendar event that is created, moved and cancelled",
    async (_, settings) => {
      const { book, cancel, mail, move, operate, server, shown } = await openServices({ settings: await settings() })
      const checked = await operate("check")
      for (const line of [/^ok +mail +127\.0\.0\.1:\d+ accepts mail/m, /^ok +apple calendar of account 1 +"/m]) {
        expect(checked).toMatch(line)
      }

      const { id, uuid } = await book(event)
      const invited = { uid: uuid, attendee: `mailto:${zoe}` }
      const first = { start: "2030-01-07T15:00:00Z", end: "2030-01-07T16:00:00Z" }
      const booked = { ...invited, ...first, subject: "Invitation: Demo", method: "REQUEST", sequence: 0 }
      await expect.poll(() => mail.invitations(zoe), pollOptions).toEqual([booked])
      await expect.poll(() => shown(uuid), pollOptions).toEqual({ ...first, title: "Demo", status: "TENTATIVE" })

      await move(id, { start_time: "2030-01-08T14:00:00", end_time: "2030-01-08T15:30:00" })
      const second = { start: "2030-01-08T19:00:00Z", end: "2030-01-08T20:30:00Z" }
      const moved = { ...invited, ...second, subject: "Changed: Demo", method: "REQUEST", sequence: 1 }
      await expect.poll(() => mail.invitations(zoe), pollOptions).toEqual([booked, moved])
      await expect.poll(() => shown(uuid), pollOptions).toEqual({ ...second, title: "Demo", status: "TENTATIVE" })

      await cancel(id)
      const cancelled = { ...invited, ...second, subject: "Cancelled: Demo", method: "CANCEL", sequence: 2 }
      await expect.poll(() => mail.invitations(zoe), pollOptions).toEqual([booked, moved, cancelled])
      await expect.poll(() => shown(uuid), pollOptions).toEqual({ ...second, title: "Demo", status: "CANCELLED" })

      // The server finishes its running tasks before it ends.
      await server.stop()
      expect(mail.attempts(zoe)).toBe(3)
    },
    120_000
  )

  it("tasks are retried until an unreachable calendar and a busy mail server answer again", async () => {
    const late = "late@example.com"
    const { book, caldav, cancel, mail, server, shown, slots } = await openServices({ refusals: { [late]: [451] } })
    const { id, uuid } = await book(event)
    await expect.poll(() => shown(uuid), pollOptions).toMatchObject({ status: "TENTATIVE" })
    expect(await slots("2030-01-07", "2030-01-07")).toMatchObject({ status: 200 })

    await caldav.down()
    await cancel(id)
    const booked = await book({ ...event, customer_email: late })
    // An unreachable calendar does not delay mail.
    await expect
      .poll(() => mail.invitations(zoe), pollOptions)
      .toMatchObject([{ method: "REQUEST" }, { method: "CANCEL" }])
    expect(await slots("2030-01-07", "2030-01-07")).toMatchObject({ status: 200 })
    // The server caches the busy intervals of the first day, but not those of the second.
    expect(await slots("2030-01-07", "2030-01-08")).toEqual({ status: 503, error: "provider_unavailable" })
    for (const eventId of [id, booked.id]) {
      await server.wrote(
        "stderr",
        new RegExp(`^.*"event":${eventId},"provider":"apple".*"logEvent":"task.retried".*$`, "m")
      )
    }

    await caldav.up()
    await expect.poll(() => shown(uuid), pollOptions).toMatchObject({ status: "CANCELLED" })
    await expect.poll(() => shown(booked.uuid), pollOptions).toMatchObject({ status: "TENTATIVE" })
    await expect
      .poll(() => mail.invitations(late), pollOptions)
      .toMatchObject([{ method: "REQUEST", uid: booked.uuid }])
    await expect.poll(() => slots("2030-01-07", "2030-01-08"), pollOptions).toMatchObject({ status: 200 })
    const { stderr } = await server.stop()
    expect([mail.attempts(late), mail.attempts(zoe)]).toEqual([2, 2])
    expect(linesOf(stderr, "task.dead_lettered")).toEqual([])
  }, 180_000)

  it("only a mail that is rejected permanently is dead-lettered, and the operator can retry it", async () => {
    const refused = "rejected@example.com"
    const { book, mail, operate, server, shown } = await openServices({ refusals: { [refused]: [550] } })
    const { id, uuid } = await book({ ...event, customer_email: refused })
    await server.wrote(
      "stderr",
      new RegExp(`^.*"event":${id},"mail":"created".*"logEvent":"task.dead_lettered".*$`, "m")
    )
    await expect.poll(() => shown(uuid), pollOptions).toMatchObject({ status: "TENTATIVE" })
    await book({ ...event, start_time: "2030-01-07T13:00:00", end_time: "2030-01-07T14:00:00" })
    await expect.poll(() => mail.invitations(zoe), pollOptions).toHaveLength(1)
    expect([mail.attempts(refused), await mail.invitations(refused)]).toEqual([1, []])

    const deadLettered = { kind: "mail", mail: "created", event_id: id, attempts: 1, reason: "mail: invalid" }
    expect(JSON.parse(await operate("outbox", "list", "--json"))).toMatchObject({ count: 1, tasks: [deadLettered] })
    await operate("outbox", "retry-all", "--kind", "mail")
    await expect.poll(() => mail.invitations(refused), pollOptions).toMatchObject([{ method: "REQUEST", uid: uuid }])
    const { stderr } = await server.stop()
    expect(linesOf(stderr, "task.dead_lettered").length + linesOf(stderr, "task.retried").length).toBe(1)
    expect([mail.attempts(refused), mail.attempts(zoe)]).toEqual([2, 1])
  }, 120_000)

  it("an event of another program in the external calendar leaves no free slot at its time", async () => {
    const { caldav, slots } = await openServices()
    const nine = "2030-01-07T09:00:00-05:00"
    const ten = "2030-01-07T10:00:00-05:00"
    const starts = async (endDate: string) => (await slots("2030-01-07", endDate)).available_slots ?? []
    expect((await starts("2030-01-07")).slice(0, 2)).toEqual([{ start: nine }, { start: ten }])
    const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Another//EN", "BEGIN:VEVENT", "UID:dentist"]
    const times = ["DTSTAMP:20300101T000000Z", "DTSTART:20300107T150000Z", "DTEND:20300107T160000Z", "SUMMARY:Dentist"]
    const { status } = await CaldavServer.request("PUT", `${caldav.calendar}dentist.ics`, {
      headers: { "content-type": "text/calendar" },
      body: [...lines, ...times, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n")
    })
    expect(status).toBe(201)
    // The server caches the busy intervals of a request for a minute, so the test requests one more day.
    const free = await starts("2030-01-08")
    expect(free).toContainEqual({ start: nine })
    expect(free).not.toContainEqual({ start: ten })
  }, 120_000)
})
