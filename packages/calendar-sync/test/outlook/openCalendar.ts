import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { OutlookCalendar } from "@frontdesk/calendar-sync"
import * as Graph from "../fake/Graph.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"

/**
 * Starts a fake of Graph, and opens the calendar of a connected account.
 *
 * @param name the name under which the calendar is opened. Default: its id
 */
export const openCalendarWith = Effect.fnUntraced(function* (id: string, name: string = id) {
  const fake = yield* Graph.start
  fake.graph.calendar = { ...fake.graph.calendar, id }
  const provider = yield* OutlookCalendar.make(CalendarOpening.options(fake.urls))
  return { ...fake, ...(yield* CalendarOpening.open("outlook", provider, fake.graph.oauth, name)) }
}, Effect.provide(FetchHttpClient.layer))

/** Starts a fake of Graph, and opens the main calendar of a connected account. */
export const openCalendar = openCalendarWith("AAMkADk0=")
