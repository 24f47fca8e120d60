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
import * as Tracing from "@frontdesk/core/values/Tracing"
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
 * The providers that the operator has set up. For a connection to another provider `write` and `busy` fail with `transport`,
 * so that writes wait until the operator has set it up. `check` returns that such a connection cannot be used.
 */
export type Providers = { readonly [Key in CalendarProviderKey]?: RemoteProvider | undefined }

/** How long another process may need to store credentials after the provider has renewed them. */
const renewalDelay = Duration.seconds(1)

/** Provides `CalendarSync` with the providers that are set up. It reads the connections and time zones of accounts. */
export const layer = (providers: Providers): Layer.Layer<CalendarSync, never, AccountStore | CalendarConnections> =>
  Layer.effect(
    CalendarSync,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const connections = yield* CalendarConnections

      /**
       * Fails with the error of a request. An `unauthorized` becomes a `conflict` when another process has replaced the
       * credentials in the meantime: they are outdated, not withdrawn.
       */
      const failWith = Effect.fnUntraced(function* (
        key: ConnectionKey,
        used: Redacted.Redacted<string>,
        error: CalendarSyncError | StorageError
      ) {
        if (error.reason !== "unauthorized") return yield* error
        const isRenewed = Effect.map(
          dieOnInvalid(connections.open(key)),
          Option.exists(({ credentials }) => !Equal.equals(credentials, used))
        )
        // The process that has renewed them may not have stored the new ones yet, so the connection is read a second time.
        if ((yield* isRenewed) || (yield* Effect.delay(isRenewed, renewalDelay))) {
          return yield* failure("conflict", "the credentials of the connection were replaced during the request")
        }
        return yield* error
      })

      const open = Effect.fnUntraced(
        function* (key: ConnectionKey) {
          const provider = providers[key.provider]
          if (provider === undefined) return yield* failure("transport", `${key.provider} is not set up in this server`)
          const connection = yield* dieOnInvalid(connections.open(key))
          if (Option.isNone(connection)) return yield* failure("unauthorized", "the account is not connected")
          const { credentials } = connection.value
          if (areLost(credentials)) {
            return yield* failure(
              "unauthorized",
              "the key that sealed the credentials is lost; connect the account again"
            )
          }
          const remote = yield* provider
            .open(connection.value, (after) => dieOnInvalid(connections.renew(key, credentials, after)))
            .pipe(Effect.catch((error) => failWith(key, credentials, error)))
          return { remote, credentials, calendar: digest([connection.value.connection.calendar]) }
        },
        // Another process has replaced the credentials. The second try reads the new ones.
        Effect.retry({
          times: 1,
          while: (error) => error._tag === "CalendarSyncError" && error.reason === "conflict"
        })
      )

      return CalendarSync.of({
        connected: (accountId) => dieOnInvalid(connections.list(accountId)),
        write: Tracing.operation("ExternalCalendars.write")(function* (provider, event, resolution) {
          const key = { accountId: event.accountId, provider }
          const { calendar, credentials, remote } = yield* open(key)
          const known = knownIn(calendar, event.externalCalendars[provider])
          const copy = yield* CopyWriter.write(remote, event, known, resolution).pipe(
            Effect.catch((error) => failWith(key, credentials, error))
          )
          return copy && { ...copy, revision: `${calendar} ${copy.revision}` }
        }),
        busy: Tracing.operation("ExternalCalendars.busy")(function* (provider, accountId, from, until) {
          const account = yield* accounts.find(accountId)
          if (Option.isNone(account)) return yield* failure("unauthorized", `account ${accountId} does not exist`)
          const { remote } = yield* open({ accountId, provider })
          return yield* remote.busy(from, until, account.value.settings.timeZone)
        }),
        check: Tracing.operation("ExternalCalendars.check")(function* (provider, accountId) {
          return yield* open({ accountId, provider }).pipe(
            Effect.flatMap(({ remote }) => remote.check),
            Effect.catchTag("CalendarSyncError", ({ cause, reason }) =>
              Effect.succeed({ isUsable: false, says: `${reason}: ${String(cause)}` })
            )
          )
        })
      })
    })
  )

/**
 * Returns the stored copy with the calendar's digest removed from its revision. Returns undefined when there is no stored
 * copy, or when it is in another calendar.
 *
 * An account may be connected with another calendar at any time, also during a write. The revision of a copy therefore
 * begins with the digest of the calendar that it is in.
 */
const knownIn = (calendar: string, copy: ExternalCopy | undefined): ExternalCopy | undefined =>
  copy?.revision?.startsWith(`${calendar} `)
    ? { ...copy, revision: copy.revision.slice(calendar.length + 1) }
    : undefined

// The arguments are always valid: the keys are those of stored rows, and the providers write the credentials.
const dieOnInvalid = <A, E, R>(effect: Effect.Effect<A, E | ValidationError, R>) =>
  Effect.catchTag(effect, "ValidationError", Effect.die)

const failure = (reason: CalendarSyncReason, cause: string) => new CalendarSyncError({ reason, cause })
