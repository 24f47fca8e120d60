import {
  isInstalled,
  type Kind,
  radicale,
  request,
  type Server,
  xandikos
} from "@frontdesk/provider-fakes/caldav/CaldavServer"
import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import { describe } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connecting from "./connecting.ts"
import { running } from "./running.ts"

class Running extends Context.Service<Running, Server>()(
  "@frontdesk/calendar-sync/test/caldav/CaldavSuite.test/Running"
) {}

/** Looks at the calendar as another program does, which knows nothing of the adapter. */
const shown = Effect.flatMap(Running, ({ calendar }) =>
  Effect.promise(async () => {
    const listing = await request("PROPFIND", calendar, {
      headers: { depth: "1", "content-type": "application/xml" },
      body: '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'
    })
    const names = [...(await listing.text()).matchAll(/[^/>]+\.ics/g)].map(([name]) => name)
    return Promise.all(
      names.map(async (name) => {
        const text = (await (await request("GET", calendar + name)).text()).replace(/\r?\n /g, "")
        return {
          externalId: decodeURIComponent(name.replace(/\.ics$/, "")),
          title: /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1] ?? "",
          isCancelled: /^STATUS:CANCELLED/m.test(text)
        }
      })
    )
  })
)

const utc = (millis: number): string => new Date(millis).toISOString().replace(/\.\d+|[-:]/g, "")

const suite = (kind: Kind): void => {
  const server = Layer.effect(Running, running(kind))
  const sync = Layer.unwrap(Effect.map(Running, Connecting.sync)).pipe(Layer.provideMerge(server))
  calendarSyncSuite(kind.command, sync, {
    excludeTestServices: true,
    timeout: 20_000,
    connected: Effect.succeed({ accountId: Connecting.connected, providers: ["apple"] }),
    unconnected: Connecting.unconnected,
    listEvents: () => shown,
    addBusyTime: (_provider, { end, start }) =>
      Effect.flatMap(Running, ({ calendar }) =>
        Effect.promise(() =>
          request("PUT", `${calendar}occupied.ics`, {
            headers: { "content-type": "text/calendar" },
            body: [
              "BEGIN:VCALENDAR",
              "VERSION:2.0",
              "PRODID:-//Somebody//EN",
              "BEGIN:VEVENT",
              "UID:occupied",
              "DTSTAMP:20260101T000000Z",
              `DTSTART:${utc(start)}`,
              `DTEND:${utc(end)}`,
              "SUMMARY:Dentist",
              "END:VEVENT",
              "END:VCALENDAR",
              ""
            ].join("\r\n")
          })
        )
      ),
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
