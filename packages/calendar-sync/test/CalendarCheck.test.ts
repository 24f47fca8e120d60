import { describe, expect, it } from "@effect/vitest"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { isInstalled, radicale, request, xandikos } from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  Caldav,
  CalendarCheck,
  GoogleCalendar,
  OAuthCredentials,
  OutlookCalendar,
  ExternalCalendars
} from "@frontdesk/calendar-sync"
import type { RemoteProvider } from "../src/RemoteCalendar.ts"
import * as CaldavConnection from "./caldav/caldavConnection.ts"
import { runningServer } from "./caldav/runningServer.ts"
import * as Connections from "./fake/Connections.ts"
import { newEvent } from "./fake/Events.ts"
import * as Google from "./fake/Google.ts"
import * as Graph from "./fake/Graph.ts"
import * as CalendarOpening from "./fake/CalendarOpening.ts"

const google = Effect.gen(function* () {
  const { google, urls } = yield* Google.start
  const provider = yield* GoogleCalendar.make(CalendarOpening.options(urls))
  return { key: "google" as const, fake: google, provider, name: GoogleCalendar.primary }
})

const outlook = Effect.gen(function* () {
  const { graph, urls } = yield* Graph.start
  const provider = yield* OutlookCalendar.make(CalendarOpening.options(urls))
  return { key: "outlook" as const, fake: graph, provider, name: OutlookCalendar.primary }
})

const keyOf = (provider: "google" | "outlook") => ({ accountId: Connections.connected, provider })

const connect = Effect.fnUntraced(function* (
  provider: RemoteProvider,
  key: ReturnType<typeof keyOf>,
  name: string,
  refreshToken: string
) {
  const credentials = OAuthCredentials.encode(Redacted.make(refreshToken))
  const checked = yield* CalendarCheck.run(provider, key, name, credentials)
  yield* (yield* CalendarConnections).connect(key, checked.calendar, checked.credentials)
  return checked
})

describe("CalendarCheck.run", () => {
  for (const [title, start] of [
    ["Google", google],
    ["Outlook", outlook]
  ] as const) {
    it.effect(
      `${title}: main calendars have different ids, and an event with a copy in the first calendar gets one in the second`,
      () =>
        Effect.gen(function* () {
          const { fake, key, name, provider } = yield* start
          fake.oauth.rotates = true
          const connections = Connections.layer(Connections.connection(key, "none yet"))
          const sync = Layer.provideMerge(ExternalCalendars.layer({ [key]: provider }), connections)
          yield* Effect.gen(function* () {
            const write = (event: CalendarEvent) => Effect.flatMap(CalendarSync, ({ write }) => write(key, event))
            const first = yield* connect(provider, keyOf(key), name, fake.oauth.agree())
            expect(first.calendar).toBe(fake.calendar.id)
            expect(first.says).toMatch(/can be read and written$/)
            const event = newEvent()
            const copy = yield* write(event)
            // The fake becomes another account. Its main calendar has another id and no events.
            Object.assign(fake.calendar, { id: "another@example.com" })
            fake.events.clear()
            const second = yield* connect(provider, keyOf(key), name, fake.oauth.agree())
            expect(second.calendar).toBe("another@example.com")
            yield* write({ ...event, externalCalendars: copy === null ? {} : { [key]: copy } })
            expect(fake.events.size).toBe(1)
          }).pipe(Effect.provide(sync))
        }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }

  it.effect("a check returns the usable credentials with which the provider has replaced the given ones", () =>
    Effect.gen(function* () {
      const { fake, name, provider } = yield* google
      fake.oauth.rotates = true
      const given = OAuthCredentials.encode(Redacted.make(fake.oauth.agree()))
      const checked = yield* CalendarCheck.run(provider, keyOf("google"), name, given)
      expect(Redacted.value(checked.credentials)).not.toBe(Redacted.value(given))
      yield* CalendarCheck.run(provider, keyOf("google"), name, checked.credentials)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("a check of a calendar that can be read but not written fails with invalid", () =>
    Effect.gen(function* () {
      const { fake, name, provider } = yield* google
      fake.calendar = { ...fake.calendar, accessRole: "reader" }
      const given = OAuthCredentials.encode(Redacted.make(fake.oauth.agree()))
      const error = yield* Effect.flip(CalendarCheck.run(provider, keyOf("google"), name, given))
      expect(error).toMatchObject({
        reason: "invalid",
        cause: '"Work" cannot be written: the account has the role reader'
      })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("the id of a CalDAV calendar", () => {
  it.effect(
    "the id of a CalDAV calendar is the canonical URL, whatever the spelling of the given URL is (D-DAV-6)",
    () =>
      Effect.gen(function* () {
        const provider = yield* Caldav.make()
        const credentials = Caldav.credentials({ username: "zoe", password: Redacted.make("secret") })
        const idOf = Effect.fnUntraced(function* (name: string) {
          const { connection } = Connections.connection("apple", "", name)
          const calendar = yield* provider.open({ connection, credentials }, () => Effect.succeed(true))
          return yield* calendar.id
        })
        for (const name of [
          "zoe@example.com/work",
          "zoe%40example.com/work/",
          "/zoe@example.com//%77ork/",
          "./zoe@example.com/work//"
        ]) {
          expect(yield* idOf(`https://cloud.example.com/dav/${name}`)).toBe(
            "https://cloud.example.com/dav/zoe%40example.com/work/"
          )
        }
        for (const other of ["a%2Fb/", "%E9t%E9/"]) {
          expect(yield* idOf(`https://Cloud.example.com:443/${other}`)).toBe(`https://cloud.example.com/${other}`)
        }
        expect(yield* idOf("https://cloud.example.com")).toBe("https://cloud.example.com/")
      }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe.each([radicale, xandikos])("a CalDAV calendar", (kind) => {
  it.live.skipIf(!isInstalled(kind))(
    `on ${kind.command}: a write over a person's change is a conflict, also after a connection with another spelling of the URL`,
    () =>
      Effect.gen(function* () {
        const server = yield* runningServer(kind)
        const provider = yield* Caldav.make()
        const { connection, credentials } = CaldavConnection.connectionOf(server)
        const key = { accountId: CaldavConnection.connected, provider: "apple" as const }
        const writeAt = Effect.fnUntraced(function* (name: string, event: CalendarEvent) {
          const { calendar } = yield* CalendarCheck.run(provider, key, name, credentials)
          const written = Effect.flatMap(CalendarSync, ({ write }) => write("apple", event))
          return yield* Effect.provide(written, CaldavConnection.sync({ ...server, calendar }))
        })
        const event = newEvent()
        const copy = yield* writeAt(connection.calendar, event)
        const url = `${connection.calendar}${event.uuid}.ics`
        yield* Effect.promise(async () => {
          const text = await (await request("GET", url)).text()
          const headers = { "content-type": "text/calendar" }
          await request("PUT", url, { headers, body: text.replace(/SUMMARY:.*/, "SUMMARY:By hand") })
        })
        const later = { ...event, sequence: 1, externalCalendars: copy === null ? {} : { apple: copy } }
        const again = writeAt(connection.calendar.replace("/work/", "//%77ork"), later)
        expect(yield* Effect.flip(again)).toMatchObject({ reason: "conflict" })
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    20_000
  )
})
