import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { CalendarProviderKey, ExternalCopy } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { areLost, type ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import {
  CalendarSync,
  CalendarSyncError,
  type CalendarSyncReason
} from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Duration from "effect/Duration"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as CopyWriter from "./CopyWriter.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"
import { digest } from "./text/EventText.ts"

/**
 * The providers that are set up. An account that is connected to one that is not is told so: what its calendar there
 * holds is not known, and writes wait as for one that cannot be reached.
 */
export type Providers = { readonly [Key in CalendarProviderKey]?: RemoteProvider | undefined }

/** How long renewed credentials may take from the provider into the storage. */
const patience = Duration.seconds(1)

/** `CalendarSync` over the providers that are set up, and the connections and the time zones of accounts. */
export const layer = (providers: Providers): Layer.Layer<CalendarSync, never, AccountStore | CalendarConnections> =>
  Layer.effect(
    CalendarSync,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const connections = yield* CalendarConnections

      /**
       * A failure of whoever used credentials: a refusal of those that somebody else has renewed meanwhile is a
       * conflict.
       */
      const refusedWith = Effect.fnUntraced(function* (
        key: ConnectionKey,
        used: Redacted.Redacted<string>,
        error: CalendarSyncError | StorageError
      ) {
        if (error.reason !== "unauthorized") return yield* error
        const isRenewed = Effect.map(
          sure(connections.open(key)),
          Option.exists(({ credentials }) => !Equal.equals(credentials, used))
        )
        // Whoever has used them up may be about to keep the new ones.
        if ((yield* isRenewed) || (yield* Effect.delay(isRenewed, patience))) {
          return yield* failure("conflict", "the connection has other credentials by now")
        }
        return yield* error
      })

      const open = Effect.fnUntraced(
        function* (key: ConnectionKey) {
          const provider = providers[key.provider]
          if (provider === undefined) return yield* failure("transport", `${key.provider} is not set up in this server`)
          const connection = yield* sure(connections.open(key))
          if (Option.isNone(connection)) return yield* failure("unauthorized", "the account is not connected")
          const { credentials } = connection.value
          if (areLost(credentials)) {
            return yield* failure("unauthorized", "the credentials were lost with their key; connect the account anew")
          }
          const remote = yield* provider
            .open(connection.value, (after) => sure(connections.renew(key, credentials, after)))
            .pipe(Effect.catch((error) => refusedWith(key, credentials, error)))
          return { remote, credentials, calendar: digest([connection.value.connection.calendar]) }
        },
        // Somebody else has renewed the credentials meanwhile: with those it opens.
        Effect.retry({
          times: 1,
          while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict"
        })
      )

      return CalendarSync.of({
        connected: (accountId) => sure(connections.list(accountId)),
        write: Effect.fn("ExternalCalendars.write")(function* (provider, event, resolution) {
          const key = { accountId: event.accountId, provider }
          const { calendar, credentials, remote } = yield* open(key)
          const known = knownIn(calendar, event.externalCalendars[provider])
          const copy = yield* CopyWriter.write(remote, event, known, resolution).pipe(
            Effect.catch((error) => refusedWith(key, credentials, error))
          )
          return copy && { ...copy, revision: `${calendar} ${copy.revision}` }
        }),
        busy: Effect.fn("ExternalCalendars.busy")(function* (provider, accountId, from, until) {
          const account = yield* accounts.find(accountId)
          if (Option.isNone(account)) return yield* failure("unauthorized", "there is no such account")
          const { remote } = yield* open({ accountId, provider })
          return yield* remote.busy(from, until, account.value.settings.timeZone)
        }),
        check: Effect.fn("ExternalCalendars.check")((provider, accountId) =>
          open({ accountId, provider }).pipe(
            Effect.flatMap(({ remote }) => remote.check),
            Effect.catchTag("CalendarSyncError", ({ cause, reason }) =>
              Effect.succeed({ isUsable: false, says: `${reason}: ${String(cause)}` })
            )
          )
        )
      })
    })
  )

/**
 * What is known of a copy, if it is in this calendar. An account may be connected with another one at any time, also
 * while a write is under way: so a copy says itself where it is, in front of its revision.
 */
const knownIn = (calendar: string, copy: ExternalCopy | undefined): ExternalCopy | undefined =>
  copy?.revision?.startsWith(`${calendar} `)
    ? { ...copy, revision: copy.revision.slice(calendar.length + 1) }
    : undefined

// Keys are those of stored rows here, and what credentials are was decided by the provider that made them.
const sure = <A, E, R>(effect: Effect.Effect<A, E | ValidationError, R>) =>
  Effect.catchTag(effect, "ValidationError", Effect.die)

const failure = (reason: CalendarSyncReason, cause: string) => new CalendarSyncError({ reason, cause })
