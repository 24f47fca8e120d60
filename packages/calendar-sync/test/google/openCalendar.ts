import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { GoogleCalendar } from "@frontdesk/calendar-sync"
import * as Google from "../fake/Google.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"

/**
 * Starts a fake of Google, and opens the calendar of a connected account.
 *
 * @param name the name under which the calendar is opened. Default: its id
 */
export const openCalendarWith = Effect.fnUntraced(function* (id: string, name: string = id) {
  const fake = yield* Google.start
  fake.google.calendar = { ...fake.google.calendar, id }
  const provider = yield* GoogleCalendar.make(CalendarOpening.options(fake.urls))
  return { ...fake, ...(yield* CalendarOpening.open("google", provider, fake.google.oauth, name)) }
}, Effect.provide(FetchHttpClient.layer))

/** Starts a fake of Google, and opens the main calendar of a connected account. */
export const openCalendar = openCalendarWith("zoe@example.com")
