import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it, onTestFinished } from "vitest"
import { linesOf } from "../support/logLines.ts"
import { openWorld, patience } from "./calendarAndMail.ts"

const isInstalled = CaldavServer.isInstalled(CaldavServer.radicale)

const reason = isInstalled ? "" : " (skipped: radicale is not installed)"

const zoe = "zoe@example.com"

/** An event at ten in the account's zone, which is 15:00 UTC. */
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
    "on %s: an event with a customer is mailed and in the calendar, and both follow when it is moved and cancelled",
    async (_, settings) => {
      const { book, cancel, mail, move, operate, server, shown } = await openWorld({ settings: await settings() })
      const checked = await operate("check")
      for (const line of [/^ok +mail +127\.0\.0\.1:\d+ takes mail/m, /^ok +apple calendar of account 1 +"/m]) {
        expect(checked).toMatch(line)
      }

      const { id, uuid } = await book(event)
      const invited = { uid: uuid, attendee: `mailto:${zoe}` }
      const first = { start: "2030-01-07T15:00:00Z", end: "2030-01-07T16:00:00Z" }
      const booked = { ...invited, ...first, subject: "Invitation: Demo", method: "REQUEST", sequence: 0 }
      await expect.poll(() => mail.invitations(zoe), patience).toEqual([booked])
      await expect.poll(() => shown(uuid), patience).toEqual({ ...first, title: "Demo", status: "TENTATIVE" })

      await move(id, { start_time: "2030-01-08T14:00:00", end_time: "2030-01-08T15:30:00" })
      const second = { start: "2030-01-08T19:00:00Z", end: "2030-01-08T20:30:00Z" }
      const moved = { ...invited, ...second, subject: "Changed: Demo", method: "REQUEST", sequence: 1 }
      await expect.poll(() => mail.invitations(zoe), patience).toEqual([booked, moved])
      await expect.poll(() => shown(uuid), patience).toEqual({ ...second, title: "Demo", status: "TENTATIVE" })

      await cancel(id)
      const cancelled = { ...invited, ...second, subject: "Cancelled: Demo", method: "CANCEL", sequence: 2 }
      await expect.poll(() => mail.invitations(zoe), patience).toEqual([booked, moved, cancelled])
      await expect.poll(() => shown(uuid), patience).toEqual({ ...second, title: "Demo", status: "CANCELLED" })

      // What it has begun, it ends.
      await server.stop()
      expect(mail.attempts(zoe)).toBe(3)
    },
    120_000
  )

  it("what a calendar that is away and a mail server that is busy have missed follows when they are back", async () => {
    const late = "late@example.com"
    const { book, caldav, cancel, mail, server, shown, slots } = await openWorld({ refusals: { [late]: [451] } })
    const { id, uuid } = await book(event)
    await expect.poll(() => shown(uuid), patience).toMatchObject({ status: "TENTATIVE" })
    expect(await slots("2030-01-07", "2030-01-07")).toMatchObject({ status: 200 })

    await caldav.down()
    await cancel(id)
    const booked = await book({ ...event, customer_email: late })
    // A mail waits for no calendar.
    await expect
      .poll(() => mail.invitations(zoe), patience)
      .toMatchObject([{ method: "REQUEST" }, { method: "CANCEL" }])
    expect(await slots("2030-01-07", "2030-01-07")).toMatchObject({ status: 200 })
    // The answer counts for a while, but says nothing of other days.
    expect(await slots("2030-01-07", "2030-01-08")).toEqual({ status: 503, error: "provider_unavailable" })
    for (const one of [id, booked.id]) {
      await server.wrote(
        "stderr",
        new RegExp(`^.*"event":${one},"provider":"apple".*"logEvent":"task.retried".*$`, "m")
      )
    }

    await caldav.up()
    await expect.poll(() => shown(uuid), patience).toMatchObject({ status: "CANCELLED" })
    await expect.poll(() => shown(booked.uuid), patience).toMatchObject({ status: "TENTATIVE" })
    await expect.poll(() => mail.invitations(late), patience).toMatchObject([{ method: "REQUEST", uid: booked.uuid }])
    await expect.poll(() => slots("2030-01-07", "2030-01-08"), patience).toMatchObject({ status: 200 })
    const { stderr } = await server.stop()
    expect([mail.attempts(late), mail.attempts(zoe)]).toEqual([2, 2])
    expect(linesOf(stderr, "task.dead_lettered")).toEqual([])
  }, 180_000)

  it("a mail that is refused for good is set aside, and nothing else is; the operator has it sent after all", async () => {
    const refused = "nobody@example.com"
    const { book, mail, operate, server, shown } = await openWorld({ refusals: { [refused]: [550] } })
    const { id, uuid } = await book({ ...event, customer_email: refused })
    await server.wrote(
      "stderr",
      new RegExp(`^.*"event":${id},"mail":"created".*"logEvent":"task.dead_lettered".*$`, "m")
    )
    await expect.poll(() => shown(uuid), patience).toMatchObject({ status: "TENTATIVE" })
    await book({ ...event, start_time: "2030-01-07T13:00:00", end_time: "2030-01-07T14:00:00" })
    await expect.poll(() => mail.invitations(zoe), patience).toHaveLength(1)
    expect([mail.attempts(refused), await mail.invitations(refused)]).toEqual([1, []])

    const setAside = { kind: "mail", mail: "created", event_id: id, attempts: 1, reason: "mail: invalid" }
    expect(JSON.parse(await operate("outbox", "list", "--json"))).toMatchObject({ count: 1, tasks: [setAside] })
    await operate("outbox", "retry-all", "--kind", "mail")
    await expect.poll(() => mail.invitations(refused), patience).toMatchObject([{ method: "REQUEST", uid: uuid }])
    const { stderr } = await server.stop()
    expect(linesOf(stderr, "task.dead_lettered").length + linesOf(stderr, "task.retried").length).toBe(1)
    expect([mail.attempts(refused), mail.attempts(zoe)]).toEqual([2, 1])
  }, 120_000)

  it("what another program puts into the calendar is not offered as free", async () => {
    const { caldav, slots } = await openWorld()
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
    // An answer counts for a minute, so it is asked about other days.
    const free = await starts("2030-01-08")
    expect(free).toContainEqual({ start: nine })
    expect(free).not.toContainEqual({ start: ten })
  }, 120_000)
})
