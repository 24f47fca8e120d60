import { type CalendarProviderKey } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarConnections } from "@frontdesk/core/calendar/CalendarConnections"
import { areLost, type ConnectionKey } from "@frontdesk/core/calendar/CalendarConnection"
import { CalendarSync, CalendarSyncError } from "@frontdesk/core/calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as CopyWriter from "./CopyWriter.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/** The providers that are set up; an account is connected to none that is not. */
export type Providers = { readonly [Key in CalendarProviderKey]?: RemoteProvider | undefined }

/** `CalendarSync` over the providers that are set up and the connections of accounts. */
export const layer = (providers: Providers): Layer.Layer<CalendarSync, never, CalendarConnections> =>
  Layer.effect(
    CalendarSync,
    Effect.gen(function* () {
      const connections = yield* CalendarConnections

      const open = Effect.fnUntraced(
        function* (key: ConnectionKey) {
          const provider = providers[key.provider]
          const connection = yield* connections.open(key)
          if (provider === undefined || Option.isNone(connection)) {
            const cause = provider === undefined ? "the provider is not set up" : "the account is not connected"
            return yield* new CalendarSyncError({ reason: "unauthorized", retryAfterMillis: null, cause })
          }
          const { credentials } = connection.value
          if (areLost(credentials)) {
            const cause = "the credentials were lost with their key; connect the account anew"
            return yield* new CalendarSyncError({ reason: "unauthorized", retryAfterMillis: null, cause })
          }
          return yield* provider.open(connection.value, (after) => connections.renew(key, credentials, after))
        },
        // Somebody else has renewed the credentials meanwhile: with those it opens.
        Effect.retry({
          times: 1,
          while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict"
        })
      )

      return CalendarSync.of({
        providers: Effect.fn("OutsideCalendars.providers")(function* (accountId) {
          const connected = yield* connections.list(accountId)
          return connected.flatMap(({ provider }) => (providers[provider] === undefined ? [] : [provider]))
        }),
        write: Effect.fn("OutsideCalendars.write")(function* (provider, event) {
          const calendar = yield* open({ accountId: event.accountId, provider })
          return yield* CopyWriter.write(calendar, event, event.externalCalendars[provider])
        }),
        busy: Effect.fn("OutsideCalendars.busy")(function* (provider, accountId, from, until) {
          return yield* (yield* open({ accountId, provider })).busy(from, until)
        }),
        check: Effect.fn("OutsideCalendars.check")((provider, accountId) =>
          open({ accountId, provider }).pipe(
            Effect.flatMap((calendar) => calendar.check),
            Effect.catchTag("CalendarSyncError", ({ cause, reason }) =>
              Effect.succeed({ isUsable: false, says: `${reason}: ${String(cause)}` })
            )
          )
        )
      })
    })
  )
