import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { GoogleCalendar } from "@frontdesk/calendar-sync"
import * as Google from "../fake/Google.ts"
import * as Opened from "../fake/Opened.ts"

/** A fake of Google and the calendar of an account that is connected to it, by its id unless by a name. */
export const openedWith = Effect.fnUntraced(function* (id: string, name: string = id) {
  const fake = yield* Google.start
  fake.google.calendar = { ...fake.google.calendar, id }
  const provider = yield* GoogleCalendar.make(Opened.options(fake.urls))
  return { ...fake, ...(yield* Opened.open("google", provider, fake.google.oauth, name)) }
}, Effect.provide(FetchHttpClient.layer))

/** The same with the main calendar of the account. */
export const opened = openedWith("zoe@example.com")
