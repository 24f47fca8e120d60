import * as Context from "effect/Context"

/** The path of the page to which a provider sends the browser after a person has granted access, or has not. */
export const callbackPath = "/calendar/oauth/callback"

/** Where this server receives the browser of a person who grants access to a calendar. */
export interface CalendarAuthorizationSite {
  /** The address that is registered with Google and Microsoft. It ends in {@link callbackPath}. */
  readonly redirectUri: string
  /** The origins to which the browser may be sent back afterwards, exactly as browsers send them. */
  readonly returnOrigins: ReadonlyArray<string>
  /** Returns whether the browser may be sent back to a URL: a page of one of the origins, without credentials. */
  readonly mayReturnTo: (url: string) => boolean
}

/**
 * Where this server receives the browser of a person who grants access to a calendar. Null, the default: nowhere, so that
 * no account can connect Google or Outlook through a browser. `AuthorizationSite` of `@frontdesk/http` makes one.
 */
export const CurrentCalendarAuthorizationSite = Context.Reference<CalendarAuthorizationSite | null>(
  "@frontdesk/core/external-calendar/CalendarAuthorizationSite",
  { defaultValue: () => null }
)
