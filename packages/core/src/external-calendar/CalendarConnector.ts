import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ConnectionKey } from "./CalendarConnection.ts"
import { CalendarSyncError } from "./CalendarSync.ts"

/** A provider on whose page a person grants access to a calendar (RFC 6749). */
export const OAuthProvider = Schema.Literals(["google", "outlook"])

/** A provider on whose page a person grants access to a calendar. */
export type OAuthProvider = typeof OAuthProvider.Type

/** The authorization for which a person is sent to a provider. */
export interface AuthorizationRequest {
  /** The provider returns it together with the code. */
  readonly state: string
  /** The SHA-256 of the verifier in base64url (RFC 7636). */
  readonly codeChallenge: string
  /** Where the provider sends the browser afterwards, exactly as it is registered with the provider. */
  readonly redirectUri: string
}

/** The code that a provider has issued, with what it proves the authorization with. */
export interface AuthorizationGrant {
  readonly code: Redacted.Redacted<string>
  readonly verifier: Redacted.Redacted<string>
  readonly redirectUri: string
}

/** The access to a CalDAV server. */
export interface CaldavServer {
  /** Any URL of the server. Null: that of iCloud. */
  readonly url: string | null
  readonly username: string
  readonly password: Redacted.Redacted<string>
}

/** A calendar on a CalDAV server. */
export interface CaldavCalendar {
  /** The URL of the calendar. It is the `calendar` of a connection. */
  readonly url: string
  /** The display name; "" when the calendar has none. */
  readonly name: string
  readonly isWritable: boolean
}

/** A calendar that can be used. Its id and credentials are the arguments of `CalendarConnections.connect`. */
export interface UsableCalendar {
  /** The calendar's own id, also when it was checked under a name such as `primary`. */
  readonly calendar: string
  /** The credentials to store: the given ones, or those with which the provider has replaced them. */
  readonly credentials: Redacted.Redacted<string>
  /** The name and the state of the calendar, as a sentence for a person. */
  readonly says: string
}

/**
 * Port: obtains access to a calendar and checks it, before an account is connected with it. It stores nothing.
 *
 * A method for a provider that is not in `providers` fails with `invalid`.
 */
export class CalendarConnector extends Context.Service<
  CalendarConnector,
  {
    /** The providers whose calendars accounts can connect, in alphabetical order. */
    readonly providers: ReadonlyArray<CalendarProviderKey>
    /** Returns the page at the provider on which a person grants access. It sends no request. */
    readonly authorizationUrl: (
      provider: OAuthProvider,
      request: AuthorizationRequest
    ) => Effect.Effect<string, CalendarSyncError>
    /**
     * Exchanges a code for the credentials of a connection. A code works once, and expires after some minutes.
     *
     * Fails with `unauthorized` when the provider refuses the code, or when a person granted less than was requested.
     */
    readonly exchange: (
      provider: OAuthProvider,
      grant: AuthorizationGrant
    ) => Effect.Effect<Redacted.Redacted<string>, CalendarSyncError>
    /**
     * Returns the calendars of an account on a CalDAV server. The credentials are sent to no host that does not belong to
     * the server.
     */
    readonly caldavCalendars: (server: CaldavServer) => Effect.Effect<ReadonlyArray<CaldavCalendar>, CalendarSyncError>
    /** Returns the credentials of a connection for a user name and a password. */
    readonly caldavCredentials: (
      account: Omit<CaldavServer, "url">
    ) => Effect.Effect<Redacted.Redacted<string>, CalendarSyncError>
    /**
     * Checks whether a calendar can be used. It writes nothing to the calendar. Fails with `invalid` when the calendar can
     * be reached but not be used, for example because it cannot be written.
     *
     * @param calendar the id of the calendar at the provider, its URL with CalDAV, or null for the main calendar of an
     *   `OAuthProvider`
     */
    readonly check: (
      key: ConnectionKey,
      calendar: string | null,
      credentials: Redacted.Redacted<string>
    ) => Effect.Effect<UsableCalendar, CalendarSyncError | StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarConnector") {
  /** An adapter without providers: no account can connect a calendar. */
  static readonly layerNone: Layer.Layer<CalendarConnector> = Layer.sync(CalendarConnector, () => {
    const none = () =>
      Effect.fail(new CalendarSyncError({ reason: "invalid", cause: "this server offers no external calendars" }))
    return CalendarConnector.of({
      providers: [],
      authorizationUrl: none,
      exchange: none,
      caldavCalendars: none,
      caldavCredentials: none,
      check: none
    })
  })
}
