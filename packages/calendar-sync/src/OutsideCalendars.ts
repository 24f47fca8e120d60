import { type CalendarProviderKey } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarConnections } from "@frontdesk/core/calendar/CalendarConnections"
import { areLost, type ConnectionKey } from "@frontdesk/core/calendar/CalendarConnection"
import { CalendarSync, CalendarSyncError, type CalendarSyncReason } from "@frontdesk/core/calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as CopyWriter from "./CopyWriter.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/**
 * The providers that are set up. An account that is connected to one that is not is told so: what its calendar there holds
 * is not known, and writes wait as for one that cannot be reached.
 */
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
          if (provider === undefined) return yield* failure("transport", `${key.provider} is not set up in this server`)
          const connection = yield* connections.open(key)
          if (Option.isNone(connection)) return yield* failure("unauthorized", "the account is not connected")
          const { credentials } = connection.value
          if (areLost(credentials)) {
            return yield* failure("unauthorized", "the credentials were lost with their key; connect the account anew")
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
          return (yield* connections.list(accountId)).map(({ provider }) => provider)
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

const failure = (reason: CalendarSyncReason, cause: string) =>
  new CalendarSyncError({ reason, retryAfterMillis: null, cause })
