import type { CalendarEvent, CalendarProviderKey, ExternalCopy } from "@frontdesk/core/calendar-event/CalendarEvent"
import { utc } from "@frontdesk/core/values/TimeZone"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as CopyWriter from "../../src/CopyWriter.ts"
import type { RemoteProvider } from "../../src/RemoteCalendar.ts"
import * as Connections from "./Connections.ts"
import { type OAuthServer, registered } from "./OAuthServer.ts"

/** Returns the options of a provider whose client is registered with the fake. */
export const options = <Urls extends object>(urls: Urls) => ({
  clientId: registered.clientId,
  clientSecret: Redacted.make(registered.clientSecret),
  ...urls
})

/** Opens the calendar of a connected account. Returns it with a function that writes a calendar event to it. */
export const open = Effect.fnUntraced(function* (
  key: CalendarProviderKey,
  provider: RemoteProvider,
  oauth: OAuthServer,
  id: string
) {
  const calendar = yield* provider.open(Connections.connection(key, oauth.agree(), id), () => Effect.succeed(true))
  const write = (event: CalendarEvent, known?: ExternalCopy | null) =>
    CopyWriter.write(calendar, event, known ?? undefined)
  const busy = (from: DateTime.Utc, until: DateTime.Utc) => calendar.busy(from, until, utc)
  return { calendar: { ...calendar, busy }, write }
})
