import * as Schema from "effect/Schema"
import * as Text from "../values/Text.ts"
import { OAuthProvider } from "./CalendarConnector.ts"

/** The maximum length of the address of a page to return to, which is a part of the `state`. */
const maxReturnUrl = 500

/** The maximum length of the id of a calendar that is chosen before the authorization, which is a part of the `state`. */
const maxChosenCalendar = 300

/** The authorization to begin with Google or Outlook. */
export const BeginAuthorization = Schema.Struct({
  provider: OAuthProvider,
  /** The id of the calendar at the provider. Default: the main calendar of the person who grants access. */
  calendar: Schema.optionalKey(Text.between(1, maxChosenCalendar)),
  /** The page to which the browser is sent afterwards. Default: the server shows a page of its own. */
  returnUrl: Schema.optionalKey(Text.between(1, maxReturnUrl))
})

/** The authorization to begin with Google or Outlook. */
export type BeginAuthorization = typeof BeginAuthorization.Type

/** What a provider has added to the address of the callback. */
export const AuthorizationCallback = Schema.Struct({
  state: Schema.String,
  /** Null when the person did not grant access. */
  code: Schema.NullOr(Schema.RedactedFromValue(Schema.String))
})

/** What a provider has added to the address of the callback. */
export type AuthorizationCallback = typeof AuthorizationCallback.Type

const caldavAccount = {
  /** Any URL of the server. Default: that of iCloud. */
  url: Schema.optionalKey(Text.between(1, 2_048)),
  username: Text.matching(1, 320, String.raw`^[^:\p{Cc}]+$`, "a user name without : and without control characters"),
  /** With iCloud an app-specific password. */
  password: Schema.RedactedFromValue(
    Text.matching(1, 1_000, String.raw`^[^\p{Cc}]+$`, "a password without control characters")
  )
}

/** The access to a CalDAV server. */
export const CaldavAccess = Schema.Struct(caldavAccount)

/** The access to a CalDAV server. */
export type CaldavAccess = typeof CaldavAccess.Type

/** A calendar on a CalDAV server to connect. */
export const ConnectCaldav = Schema.Struct({
  ...caldavAccount,
  /** The URL of the calendar. `url` is ignored. */
  calendar: Text.between(1, 2_048)
})

/** A calendar on a CalDAV server to connect. */
export type ConnectCaldav = typeof ConnectCaldav.Type
