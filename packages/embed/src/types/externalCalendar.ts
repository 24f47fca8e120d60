import type { CalendarConnection } from "./account.ts"
import type { CalendarProvider, CallOptions, List } from "./common.ts"
import type { CaldavAccount, CaldavCalendar } from "./providers.ts"

/** A connection of the account to an external calendar, without credentials. */
export interface ExternalCalendar extends CalendarConnection {
  /**
   * `credentials_lost`: the key that encrypted the credentials is lost, so the account must be connected again.
   * `not_set_up`: `Frontdesk.open` was given no OAuth client for the provider.
   */
  readonly status: "connected" | "credentials_lost" | "not_set_up"
  /** The number of calendar events ahead whose copy a person has changed or deleted. */
  readonly conflicts: number
}

/** The authorization to begin with Google or Outlook. */
export interface BeginAuthorization {
  readonly provider: "google" | "outlook"
  /** The id of the calendar. Default: the main calendar. */
  readonly calendar?: string | undefined
  /** The page to which the browser is sent afterwards. Its origin must be allowed (`calendars.returnOrigins`). */
  readonly returnUrl?: string | undefined
}

/** An authorization that a person has to grant in a browser. */
export interface BegunAuthorization {
  /** The page at the provider. */
  readonly authorizationUrl: string
  readonly expiresAt: string
}

/** A calendar on a CalDAV server to connect. */
export interface ConnectCaldav extends CaldavAccount {
  /** The URL of the calendar. `externalCalendars.caldavCalendars` lists those of a server. */
  readonly calendar: string
}

/** Whether a connected calendar can be used. */
export interface CalendarCheck {
  readonly isUsable: boolean
  readonly hasWarning?: boolean | undefined
  /** What was found, or what is wrong. */
  readonly says: string
}

/** The connections of the account to external calendars. */
export interface ExternalCalendars {
  /** The providers whose calendars accounts can connect. */
  readonly providers: (options?: CallOptions) => Promise<ReadonlyArray<CalendarProvider>>
  /** Lists the connections of the account. */
  readonly list: (options?: CallOptions) => List<ExternalCalendar>
  /** Begins an authorization with Google or Outlook, which ends after 10 minutes. Needs `calendars.publicUrl`. */
  readonly beginAuthorization: (body: BeginAuthorization, options?: CallOptions) => Promise<BegunAuthorization>
  /** Returns the calendars on a CalDAV server. */
  readonly caldavCalendars: (access: CaldavAccount, options?: CallOptions) => Promise<ReadonlyArray<CaldavCalendar>>
  /** Checks a calendar on a CalDAV server and connects the account with it. */
  readonly connectCaldav: (body: ConnectCaldav, options?: CallOptions) => Promise<ExternalCalendar>
  /** Asks the provider whether a connected calendar can be used. */
  readonly check: (provider: CalendarProvider, options?: CallOptions) => Promise<CalendarCheck>
  /** Deletes a connection and its credentials. */
  readonly disconnect: (provider: CalendarProvider, options?: CallOptions) => Promise<void>
}
