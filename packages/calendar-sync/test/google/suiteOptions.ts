import type { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncSuiteOptions } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { GoogleCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import * as Connections from "../fake/Connections.ts"
import type { FakeServer } from "../fake/FakeServer.ts"
import * as Google from "../fake/Google.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"
import * as suiteChanges from "../fake/suiteChanges.ts"

/** The fake of Google Calendar behind {@link sync}, and its server. */
class Fake extends Context.Service<
  Fake,
  {
    readonly google: Google.GoogleFake
    readonly server: FakeServer
    readonly connectCalendar: ReturnType<typeof suiteChanges.connecting>
  }
>()("@frontdesk/calendar-sync/test/google/suiteOptions/Fake") {}

/** The adapter, connected to a fake of Google Calendar. */
export const sync = Layer.unwrap(
  Effect.gen(function* () {
    const { google, server, urls } = yield* Google.start
    google.oauth.rotates = true
    const provider = yield* GoogleCalendar.make(CalendarOpening.options(urls))
    const connectCalendar = suiteChanges.connecting("google", google, (calendar) => {
      google.calendar = { ...google.calendar, id: calendar === "first" ? "zoe@example.com" : "other@example.com" }
      return calendar === "first" ? "primary" : google.calendar.id
    })
    return ExternalCalendars.layer({ google: provider }).pipe(
      Layer.provideMerge(Connections.layer(Connections.connection("google", google.oauth.agree()))),
      Layer.merge(Layer.succeed(Fake, { google, server, connectCalendar }))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** What the calendar suite must know about {@link sync}. */
export const options: CalendarSyncSuiteOptions<CalendarConnections | Fake> = {
  connected: Effect.succeed({ accountId: Connections.connected, providers: ["google"] }),
  unconnected: Connections.unconnected,
  listEvents: () =>
    Effect.map(Fake, ({ google }) =>
      [...google.events.values()].map(({ id, status, summary }) => ({
        externalId: id,
        title: String(summary),
        isCancelled: status === "cancelled"
      }))
    ),
  addBusyTime: (_provider, busy) => Effect.map(Fake, ({ google }) => google.addBusyTime(busy)),
  addWeeklyBusyTime: (_provider, first, weeks) =>
    Effect.map(Fake, ({ google }) => suiteChanges.weekly(first, weeks).forEach((busy) => google.addBusyTime(busy))),
  changeBeforeNextWrite: (_provider, change) =>
    Effect.flatMap(Fake, ({ server }) => suiteChanges.changeBeforeNextWrite(server, change)),
  connectCalendar: (_provider, calendar) => Effect.flatMap(Fake, ({ connectCalendar }) => connectCalendar(calendar)),
  userChanges: {
    rename: (_provider, id, summary) => Effect.map(Fake, ({ google }) => google.change(id, { summary })),
    remove: (_provider, id) => Effect.map(Fake, ({ google }) => google.change(id, { status: "cancelled" }))
  }
}
