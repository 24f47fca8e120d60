import { calendarSyncSuite } from "@frontdesk/testing/suite/calendarSyncSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { OutlookCalendar, ExternalCalendars } from "@frontdesk/calendar-sync"
import * as Connections from "../fake/Connections.ts"
import type { FakeServer } from "../fake/FakeServer.ts"
import * as Graph from "../fake/Graph.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"
import * as suiteChanges from "../fake/suiteChanges.ts"

class Fake extends Context.Service<
  Fake,
  {
    readonly graph: Graph.GraphFake
    readonly server: FakeServer
    readonly connectCalendar: ReturnType<typeof suiteChanges.connecting>
  }
>()("@frontdesk/calendar-sync/test/outlook/OutlookCalendarSuite.test/Fake") {}

const sync = Layer.unwrap(
  Effect.gen(function* () {
    const { graph, server, urls } = yield* Graph.start
    graph.oauth.rotates = true
    const provider = yield* OutlookCalendar.make(CalendarOpening.options(urls))
    const connectCalendar = suiteChanges.connecting("outlook", graph, (calendar) => {
      graph.calendar = { ...graph.calendar, id: calendar === "first" ? "AAMkADk0=" : "AAMkADk1=" }
      return calendar === "first" ? "primary" : graph.calendar.id
    })
    return ExternalCalendars.layer({ outlook: provider }).pipe(
      Layer.provideMerge(Connections.layer(Connections.connection("outlook", graph.oauth.agree()))),
      Layer.merge(Layer.succeed(Fake, { graph, server, connectCalendar }))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

calendarSyncSuite("outlook", sync, {
  connected: Effect.succeed({ accountId: Connections.connected, providers: ["outlook"] }),
  unconnected: Connections.unconnected,
  listEvents: () =>
    Effect.map(Fake, ({ graph }) =>
      [...graph.events.values()].map(({ fields: { showAs, subject }, id }) => ({
        externalId: id,
        title: String(subject),
        isCancelled: String(subject).startsWith("Canceled: ") && showAs === "free"
      }))
    ),
  addBusyTime: (_provider, busy) => Effect.map(Fake, ({ graph }) => graph.addBusyTime(busy)),
  addWeeklyBusyTime: (_provider, first, weeks) =>
    Effect.map(Fake, ({ graph }) => suiteChanges.weekly(first, weeks).forEach((busy) => graph.addBusyTime(busy))),
  changeBeforeNextWrite: (_provider, change) =>
    Effect.flatMap(Fake, ({ server }) => suiteChanges.changeBeforeNextWrite(server, change)),
  connectCalendar: (_provider, calendar) => Effect.flatMap(Fake, ({ connectCalendar }) => connectCalendar(calendar)),
  userChanges: {
    rename: (_provider, id, subject) => Effect.map(Fake, ({ graph }) => graph.change(id, { subject })),
    remove: (_provider, id) => Effect.map(Fake, ({ graph }) => void graph.events.delete(id))
  }
})
