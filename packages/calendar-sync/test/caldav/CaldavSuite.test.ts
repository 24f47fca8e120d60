import {
  isInstalled,
  type Kind,
  radicale,
  request,
  type Server,
  xandikos
} from "@frontdesk/provider-fakes/caldav/CaldavServer"
import type { Interval } from "@frontdesk/core/values/Interval"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { describe } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CaldavConnection from "./caldavConnection.ts"
import { runningServer } from "./runningServer.ts"

class Running extends Context.Service<Running, Server>()(
  "@frontdesk/calendar-sync/test/caldav/CaldavSuite.test/Running"
) {}

/** Returns the events of the calendar as another program reads them, without the adapter. */
const listEvents = Effect.flatMap(Running, ({ calendar }) =>
  Effect.promise(async () => {
    const listing = await request("PROPFIND", calendar, {
      headers: { depth: "1", "content-type": "application/xml" },
      body: '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'
    })
    const names = [...(await listing.text()).matchAll(/[^/>]+\.ics/g)].map(([name]) => name)
    const events = []
    // One request at a time. Radicale's queue for new connections has five places, and a connection that finds it full waits
    // a second for TCP to retry.
    for (const name of names) {
      const text = (await (await request("GET", calendar + name)).text()).replace(/\r?\n /g, "")
      events.push({
        externalId: decodeURIComponent(name.replace(/\.ics$/, "")),
        title: /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1] ?? "",
        isCancelled: /^STATUS:CANCELLED/m.test(text)
      })
    }
    return events
  })
)

const utc = (millis: number): string => new Date(millis).toISOString().replace(/\.\d+|[-:]/g, "")

/** Stores an event that Frontdesk has not written: a busy time. */
const putBusyTime = (uid: string, { end, start }: Interval, ...properties: ReadonlyArray<string>) =>
  Effect.flatMap(Running, ({ calendar }) =>
    Effect.promise(() =>
      request("PUT", `${calendar}${uid}.ics`, {
        headers: { "content-type": "text/calendar" },
        body: [
          "BEGIN:VCALENDAR",
          "VERSION:2.0",
          "PRODID:-//Somebody//EN",
          "BEGIN:VEVENT",
          `UID:${uid}`,
          "DTSTAMP:20260101T000000Z",
          `DTSTART:${utc(start)}`,
          `DTEND:${utc(end)}`,
          ...properties,
          "SUMMARY:Dentist",
          "END:VEVENT",
          "END:VCALENDAR",
          ""
        ].join("\r\n")
      })
    )
  )

const suite = (kind: Kind): void => {
  const server = Layer.effect(Running, runningServer(kind))
  const sync = Layer.unwrap(Effect.map(Running, CaldavConnection.sync)).pipe(Layer.provideMerge(server))
  calendarSyncSuite(kind.command, sync, {
    excludeTestServices: true,
    timeout: 20_000,
    connected: Effect.succeed({ accountId: CaldavConnection.connected, providers: ["apple"] }),
    unconnected: CaldavConnection.unconnected,
    listEvents: () => listEvents,
    addBusyTime: (_provider, busy) => putBusyTime("occupied", busy),
    addWeeklyBusyTime: (_provider, first, weeks) => putBusyTime("weekly", first, `RRULE:FREQ=WEEKLY;COUNT=${weeks}`),
    userChanges: {
      rename: (_provider, id, title) =>
        Effect.flatMap(Running, ({ calendar }) =>
          Effect.promise(async () => {
            const text = await (await request("GET", `${calendar}${id}.ics`)).text()
            await request("PUT", `${calendar}${id}.ics`, {
              headers: { "content-type": "text/calendar" },
              body: text.replace(/^SUMMARY:.*$/m, `SUMMARY:${title}`)
            })
          })
        ),
      remove: (_provider, id) =>
        Effect.flatMap(Running, ({ calendar }) => Effect.promise(() => request("DELETE", `${calendar}${id}.ics`)))
    }
  })
}

describe.each([radicale, xandikos])("CalDAV", (kind) => {
  describe.skipIf(!isInstalled(kind))(`on ${kind.command}, if it is installed`, () => {
    suite(kind)
  })
})
