import type { CalendarSyncSuiteOptions } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { GoogleCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import * as Connections from "../fake/Connections.ts"
import * as Google from "../fake/Google.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"

/** The fake of Google Calendar behind {@link sync}. */
class Fake extends Context.Service<Fake, Google.GoogleFake>()(
  "@frontdesk/calendar-sync/test/google/suiteOptions/Fake"
) {}

/** The adapter, connected to a fake of Google Calendar. */
export const sync = Layer.unwrap(
  Effect.gen(function* () {
    const { google, urls } = yield* Google.start
    google.oauth.rotates = true
    const provider = yield* GoogleCalendar.make(CalendarOpening.options(urls))
    return ExternalCalendars.layer({ google: provider }).pipe(
      Layer.provide(Connections.layer(Connections.connection("google", google.oauth.agree()))),
      Layer.merge(Layer.succeed(Fake, google))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** What the calendar suite must know about {@link sync}. */
export const options: CalendarSyncSuiteOptions<Fake> = {
  connected: Effect.succeed({ accountId: Connections.connected, providers: ["google"] }),
  unconnected: Connections.unconnected,
  listEvents: () =>
    Effect.map(Fake, ({ events }) =>
      [...events.values()].map(({ id, status, summary }) => ({
        externalId: id,
        title: String(summary),
        isCancelled: status === "cancelled"
      }))
    ),
  addBusyTime: (_provider, busy) => Effect.map(Fake, (google) => google.addBusyTime(busy)),
  userChanges: {
    rename: (_provider, id, summary) => Effect.map(Fake, (google) => google.change(id, { summary })),
    remove: (_provider, id) => Effect.map(Fake, (google) => google.change(id, { status: "cancelled" }))
  }
}
