import { describe, expect, it } from "@effect/vitest"
import { CalendarConnections } from "@frontdesk/core/calendar/CalendarConnections"
import type { CalendarEvent } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  Caldav,
  CalendarTrial,
  GoogleCalendar,
  OAuthCredentials,
  OutlookCalendar,
  OutsideCalendars
} from "../src/index.ts"
import type { RemoteProvider } from "../src/RemoteCalendar.ts"
import * as Connections from "./fake/Connections.ts"
import { newEvent } from "./fake/Events.ts"
import * as Google from "./fake/Google.ts"
import * as Graph from "./fake/Graph.ts"
import * as Opened from "./fake/Opened.ts"

const google = Effect.gen(function* () {
  const { google, urls } = yield* Google.start
  const provider = yield* GoogleCalendar.make(Opened.options(urls))
  return { key: "google" as const, fake: google, provider, name: GoogleCalendar.primary }
})

const outlook = Effect.gen(function* () {
  const { graph, urls } = yield* Graph.start
  const provider = yield* OutlookCalendar.make(Opened.options(urls))
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
  const tried = yield* CalendarTrial.run(provider, key, name, credentials)
  yield* (yield* CalendarConnections).connect(key, tried.calendar, tried.credentials)
  return tried
})

describe("CalendarTrial.run", () => {
  for (const [title, start] of [
    ["Google", google],
    ["Outlook", outlook]
  ] as const) {
    it.effect(`${title}: the main calendar of one account is another calendar than that of the next`, () =>
      Effect.gen(function* () {
        const { fake, key, name, provider } = yield* start
        fake.oauth.rotates = true
        const connections = Connections.layer(Connections.connection(key, "none yet"))
        const sync = Layer.provideMerge(OutsideCalendars.layer({ [key]: provider }), connections)
        yield* Effect.gen(function* () {
          const write = (event: CalendarEvent) => Effect.flatMap(CalendarSync, ({ write }) => write(key, event))
          const first = yield* connect(provider, keyOf(key), name, fake.oauth.agree())
          expect(first.calendar).toBe(fake.calendar.id)
          expect(first.says).toMatch(/can be read and written$/)
          const event = newEvent()
          const copy = yield* write(event)
          // Another account, whose main calendar has another id and none of the events.
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

  it.effect("answers the credentials that the provider has put in the place of those given", () =>
    Effect.gen(function* () {
      const { fake, name, provider } = yield* google
      fake.oauth.rotates = true
      const given = OAuthCredentials.encode(Redacted.make(fake.oauth.agree()))
      const tried = yield* CalendarTrial.run(provider, keyOf("google"), name, given)
      expect(Redacted.value(tried.credentials)).not.toBe(Redacted.value(given))
      yield* CalendarTrial.run(provider, keyOf("google"), name, tried.credentials)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("fails when the calendar can be read and not be written", () =>
    Effect.gen(function* () {
      const { fake, name, provider } = yield* google
      fake.calendar = { ...fake.calendar, accessRole: "reader" }
      const given = OAuthCredentials.encode(Redacted.make(fake.oauth.agree()))
      const error = yield* Effect.flip(CalendarTrial.run(provider, keyOf("google"), name, given))
      expect(error).toMatchObject({ reason: "invalid", cause: '"Work" cannot be written: the role is reader' })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("the id of a CalDAV calendar", () => {
  it.effect("is its URL, whether it was named with the slash at its end or without", () =>
    Effect.gen(function* () {
      const provider = yield* Caldav.make()
      const credentials = Caldav.credentials({ username: "zoe", password: Redacted.make("secret") })
      for (const name of ["https://cloud.example.com/dav/work", "https://cloud.example.com/dav/work/"]) {
        const { connection } = Connections.connection("apple", "", name)
        const calendar = yield* provider.open({ connection, credentials }, () => Effect.succeed(true))
        expect(yield* calendar.id).toBe("https://cloud.example.com/dav/work/")
      }
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
