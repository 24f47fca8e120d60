import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import type { InstallationStore } from "../access/InstallationStore.ts"
import { Principal } from "../access/Principal.ts"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import type { ConflictCounts } from "../calendar-event/ConflictCounts.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import type { IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Check } from "../values/Check.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as CalendarAuthorizationEnd from "./CalendarAuthorizationEnd.ts"
import * as CalendarAuthorizations from "./CalendarAuthorizations.ts"
import * as Site from "./CalendarAuthorizationSite.ts"
import { areLost, type CalendarConnection } from "./CalendarConnection.ts"
import { CalendarConnections } from "./CalendarConnections.ts"
import { type CaldavCalendar, CalendarConnector } from "./CalendarConnector.ts"
import { CalendarSync, type CalendarSyncError } from "./CalendarSync.ts"
import * as CheckedConnection from "./CheckedConnection.ts"
import { CalendarNotConnected, CalendarNotOffered, type CalendarNotUsable } from "./ExternalCalendarError.ts"
import * as ExternalQuestion from "./ExternalQuestion.ts"
import { AuthorizationCallback, BeginAuthorization, CaldavAccess, ConnectCaldav } from "./ExternalCalendarInput.ts"

/** The maximum number of calendars of a CalDAV server that are returned. */
export const maxCalendars = 200

/**
 * What is known of a connection without asking the provider.
 *
 * - `connected`: nothing is known against it.
 * - `credentials_lost`: the key that sealed the credentials is lost. The account must be connected again.
 * - `not_set_up`: the operator has not set up the provider on this server.
 */
export const ConnectionStatus = Schema.Literals(["connected", "credentials_lost", "not_set_up"])

/** What is known of a connection without asking the provider. */
export type ConnectionStatus = typeof ConnectionStatus.Type

/** A connection of the account to an external calendar, without credentials. */
export interface ExternalCalendar extends CalendarConnection {
  readonly status: ConnectionStatus
  /** The number of calendar events that have not begun and whose copy in the calendar is in conflict (D-EXT-3). */
  readonly conflicts: number
}

/** An authorization that a person has to grant in a browser. */
export interface BegunAuthorization {
  /** The page at the provider. */
  readonly authorizationUrl: string
  readonly expiresAt: DateTime.Utc
}

type NotConnected = CalendarNotOffered | CalendarNotUsable | ValidationError | StorageError

const inputs: Input.Inputs<ExternalCalendars["Service"]> = {
  beginAuthorization: [{ body: BeginAuthorization }],
  endAuthorization: [{ callback: AuthorizationCallback }],
  caldavCalendars: [{ access: CaldavAccess }],
  connectCaldav: [{ body: ConnectCaldav }],
  check: [{ provider: CalendarProviderKey }],
  disconnect: [{ provider: CalendarProviderKey }]
}

/** The external calendars of the caller's account. The operator uses `CalendarConnections`. */
export class ExternalCalendars extends Context.Service<
  ExternalCalendars,
  {
    /**
     * The providers whose calendars accounts can connect on this server, in alphabetical order. Google and Outlook are among
     * them only when the server has a public URL.
     */
    readonly providers: Effect.Effect<ReadonlyArray<CalendarProviderKey>>
    /** Returns the connections of the account, ordered by provider. No provider is asked. */
    readonly list: Effect.Effect<ReadonlyArray<ExternalCalendar>, StorageError, Principal>
    /**
     * Begins an authorization with Google or Outlook, which ends after 10 minutes. No request is sent.
     *
     * Fails with `CalendarNotOffered` when the server has no client with the provider or no public URL, and with
     * `ValidationError` when the browser may not be sent back to `returnUrl`.
     */
    readonly beginAuthorization: (
      body: BeginAuthorization
    ) => Effect.Effect<BegunAuthorization, CalendarNotOffered | ValidationError, Principal>
    /**
     * Ends an authorization: exchanges the code, checks the calendar, and connects the account that began it. It needs no
     * caller, because the `state` proves which account that is. An authorization ends once, on any node.
     */
    readonly endAuthorization: (
      callback: AuthorizationCallback
    ) => Effect.Effect<CalendarAuthorizationEnd.EndedAuthorization, ValidationError | StorageError>
    /** Returns the calendars on a CalDAV server that the account can connect, at most {@link maxCalendars}. */
    readonly caldavCalendars: (
      access: CaldavAccess
    ) => Effect.Effect<ReadonlyArray<CaldavCalendar>, NotConnected, Principal>
    /**
     * Checks a calendar on a CalDAV server and connects the account with it, which replaces an earlier connection. Fails
     * without a change when the calendar cannot be used.
     */
    readonly connectCaldav: (body: ConnectCaldav) => Effect.Effect<ExternalCalendar, NotConnected, Principal>
    /** Checks with the provider whether a connected calendar can be used. It writes nothing. */
    readonly check: (
      provider: CalendarProviderKey
    ) => Effect.Effect<Check, CalendarNotConnected | ValidationError | StorageError, Principal>
    /** Deletes a connection and its credentials. Copies in the calendar stay. */
    readonly disconnect: (
      provider: CalendarProviderKey
    ) => Effect.Effect<void, CalendarNotConnected | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/external-calendar/ExternalCalendars") {
  /** The service over the connections of accounts. Its layer fails when the key of the installation cannot be opened. */
  static readonly layer: Layer.Layer<
    ExternalCalendars,
    StorageError,
    | AccountStore
    | CalendarConnections
    | CalendarConnector
    | CalendarEventStore
    | CalendarSync
    | Crypto
    | IdempotencyStore
    | InstallationStore
  > = Layer.effect(
    ExternalCalendars,
    Effect.gen(function* () {
      const authorizations = yield* CalendarAuthorizations.make
      const connections = yield* CalendarConnections
      const connector = yield* CalendarConnector
      const events = yield* CalendarEventStore
      const site = yield* Site.CurrentCalendarAuthorizationSite
      const sync = yield* CalendarSync
      const connect = yield* CheckedConnection.make
      const end = yield* CalendarAuthorizationEnd.make(authorizations, connect)

      // Google and Outlook send the browser back to the public URL of the server.
      const offered = connector.providers.filter((provider) => provider === "apple" || site !== null)

      const requireOffered = (provider: CalendarProviderKey) =>
        offered.includes(provider) ? Effect.void : Effect.fail(new CalendarNotOffered({ provider }))

      /** Returns what is known of a connection. */
      const statusOf = Effect.fnUntraced(function* (connection: CalendarConnection) {
        if (!connector.providers.includes(connection.provider)) return "not_set_up"
        const opened = yield* dieOnInvalid(connections.open(connection)).pipe(
          Effect.catchIf(
            ({ reason }) => reason === "corrupt",
            () => Effect.succeed("corrupt" as const)
          )
        )
        const isLost = opened === "corrupt" || Option.exists(opened, ({ credentials }) => areLost(credentials))
        return isLost ? "credentials_lost" : "connected"
      })

      const conflictsOf = (accountId: AccountId) =>
        Effect.flatMap(DateTime.now, (now) => events.conflictsFrom(accountId, now))

      const show = (connection: CalendarConnection, conflicts: ConflictCounts) =>
        Effect.map(statusOf(connection), (status): ExternalCalendar => ({
          ...connection,
          status,
          conflicts: conflicts[connection.provider] ?? 0
        }))

      const connected = Effect.fnUntraced(function* (provider: CalendarProviderKey) {
        const { account } = yield* Principal
        const found = yield* dieOnInvalid(connections.list(account.id))
        if (!found.some((connection) => connection.provider === provider)) {
          return yield* new CalendarNotConnected({ provider })
        }
        return { accountId: account.id, provider }
      })

      return Input.service(ExternalCalendars, inputs, {
        providers: Effect.succeed(offered),
        list: Effect.gen(function* () {
          const { account } = yield* Principal
          const found = yield* dieOnInvalid(connections.list(account.id))
          if (found.length === 0) return []
          const conflicts = yield* conflictsOf(account.id)
          return yield* Effect.forEach(found, (connection) => show(connection, conflicts))
        }).pipe(Tracing.span("ExternalCalendars.list")),
        beginAuthorization: Tracing.operation("ExternalCalendars.beginAuthorization")(function* (body) {
          const { account } = yield* Principal
          const { calendar = null, provider, returnUrl = null } = body
          yield* requireOffered(provider)
          if (site === null) return yield* new CalendarNotOffered({ provider })
          if (returnUrl !== null && !site.mayReturnTo(returnUrl)) return yield* foreignOrigin(site)
          const { redirectUri } = site
          const authorization = { accountId: account.id, provider, calendar, returnUrl, redirectUri }
          const { codeChallenge, expiresAt, state } = yield* authorizations.issue(authorization)
          const authorizationUrl = yield* connector
            .authorizationUrl(provider, { state, codeChallenge, redirectUri })
            .pipe(Effect.mapError(() => new CalendarNotOffered({ provider })))
          return { authorizationUrl, expiresAt }
        }),
        endAuthorization: Tracing.operation("ExternalCalendars.endAuthorization")(function* (callback) {
          return yield* end(callback)
        }),
        caldavCalendars: Tracing.operation("ExternalCalendars.caldavCalendars")(function* (access) {
          yield* requireOffered("apple")
          const { password, url = null, username } = access
          const asked = ExternalQuestion.within(connector.caldavCalendars({ url, username, password }))
          const found = yield* Effect.catchTag(asked, "CalendarSyncError", refuse("url"))
          return found.slice(0, maxCalendars)
        }),
        connectCaldav: Tracing.operation("ExternalCalendars.connectCaldav")(function* (body) {
          yield* requireOffered("apple")
          const { account } = yield* Principal
          const { calendar, password, username } = body
          const connection = yield* connector.caldavCredentials({ username, password }).pipe(
            Effect.flatMap((credentials) =>
              connect({ accountId: account.id, provider: "apple" }, calendar, credentials)
            ),
            Effect.catchTag("CalendarSyncError", refuse("calendar")),
            // The account of the caller exists.
            Effect.catchTag("AccountNotFound", Effect.die)
          )
          return yield* show(connection, yield* conflictsOf(account.id))
        }),
        check: Tracing.operation("ExternalCalendars.check")(function* (provider) {
          const { accountId } = yield* connected(provider)
          return yield* ExternalQuestion.checkWithin(sync.check(provider, accountId))
        }),
        disconnect: Tracing.operation("ExternalCalendars.disconnect")(function* (provider) {
          yield* connections.disconnect(yield* connected(provider))
        })
      })
    })
  )
}

/** Returns the refusal of a CalDAV server whose address is in this field of the input. */
const refuse =
  (field: "url" | "calendar") =>
  (error: CalendarSyncError): Effect.Effect<never, CalendarNotUsable | ValidationError> =>
    Effect.fail(
      error.isForbiddenAddress
        ? new ValidationError({ problems: [{ field, code: FieldProblems.invalid, message: forbiddenAddress }] })
        : ExternalQuestion.notUsable("apple", error)
    )

const forbiddenAddress =
  "This address is not public. The operator can allow its host with FRONTDESK_CALDAV_PRIVATE_HOSTS, or with " +
  "calendars.caldav.privateHosts in a program"

const foreignOrigin = ({ returnOrigins }: Site.CalendarAuthorizationSite) =>
  new ValidationError({
    problems: [
      {
        field: "return_url",
        code: FieldProblems.invalid,
        message: `Expected a URL with one of the origins ${returnOrigins.join(", ")}`
      }
    ]
  })

// The account is that of the caller, and the other values are those of stored rows.
const dieOnInvalid = <A, E, R>(effect: Effect.Effect<A, E | ValidationError, R>) =>
  Effect.catchTag(effect, "ValidationError", Effect.die)
