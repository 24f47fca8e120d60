import type { CalendarEvent, ExternalCopy } from "@frontdesk/core/calendar/CalendarEvent"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as CopyWriter from "../../src/CopyWriter.ts"
import { GoogleCalendar } from "../../src/index.ts"
import * as Connections from "../fake/Connections.ts"
import * as Google from "../fake/Google.ts"
import { registered } from "../fake/OAuthServer.ts"

/** A fake of Google and the calendar of an account that is connected to it. */
export const openedWith = Effect.fnUntraced(function* (id: string) {
  const fake = yield* Google.start
  fake.google.calendar = { ...fake.google.calendar, id }
  const { clientId, clientSecret } = registered
  const options = { clientId, clientSecret: Redacted.make(clientSecret), ...fake.urls }
  const provider = yield* GoogleCalendar.make(options)
  const connection = Connections.connection("google", fake.google.oauth.agree(), id)
  const calendar = yield* provider.open(connection, () => Effect.succeed(true))
  const write = (event: CalendarEvent, known?: ExternalCopy | null) =>
    CopyWriter.write(calendar, event, known ?? undefined)
  return { ...fake, calendar, write }
}, Effect.provide(FetchHttpClient.layer))

/** The same with the calendar that everybody has. */
export const opened = openedWith("primary")
