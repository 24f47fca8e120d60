import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { OutlookCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import * as Connections from "../fake/Connections.ts"
import * as Graph from "../fake/Graph.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"

class Fake extends Context.Service<Fake, Graph.GraphFake>()(
  "@frontdesk/calendar-sync/test/outlook/OutlookCalendarSuite.test/Fake"
) {}

const sync = Layer.unwrap(
  Effect.gen(function* () {
    const { graph, urls } = yield* Graph.start
    graph.oauth.rotates = true
    const provider = yield* OutlookCalendar.make(CalendarOpening.options(urls))
    return ExternalCalendars.layer({ outlook: provider }).pipe(
      Layer.provide(Connections.layer(Connections.connection("outlook", graph.oauth.agree()))),
      Layer.merge(Layer.succeed(Fake, graph))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

calendarSyncSuite("outlook", sync, {
  connected: Effect.succeed({ accountId: Connections.connected, providers: ["outlook"] }),
  unconnected: Connections.unconnected,
  listEvents: () =>
    Effect.map(Fake, ({ events }) =>
      [...events.values()].map(({ fields: { showAs, subject }, id }) => ({
        externalId: id,
        title: String(subject),
        isCancelled: String(subject).startsWith("Canceled: ") && showAs === "free"
      }))
    ),
  addBusyTime: (_provider, busy) => Effect.map(Fake, (graph) => graph.addBusyTime(busy)),
  userChanges: {
    rename: (_provider, id, subject) => Effect.map(Fake, (graph) => graph.change(id, { subject })),
    remove: (_provider, id) => Effect.map(Fake, (graph) => void graph.events.delete(id))
  }
})
