import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { OutlookCalendar } from "@frontdesk/calendar-sync"
import * as Graph from "../fake/Graph.ts"
import * as Opened from "../fake/Opened.ts"

/** A fake of Graph and the calendar of an account that is connected to it, by its id unless by a name. */
export const openedWith = Effect.fnUntraced(function* (id: string, name: string = id) {
  const fake = yield* Graph.start
  fake.graph.calendar = { ...fake.graph.calendar, id }
  const provider = yield* OutlookCalendar.make(Opened.options(fake.urls))
  return { ...fake, ...(yield* Opened.open("outlook", provider, fake.graph.oauth, name)) }
}, Effect.provide(FetchHttpClient.layer))

/** The same with the main calendar of the account. */
export const opened = openedWith("AAMkADk0=")
