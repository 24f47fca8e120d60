import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"

/** Which connection: an account has at most one with each provider. */
export const ConnectionKey = Schema.Struct({ accountId: AccountId, provider: CalendarProviderKey })

/** Which connection. */
export type ConnectionKey = typeof ConnectionKey.Type

/** An account's connection with an outside calendar; its credentials are kept beside it and never shown. */
export const CalendarConnection = Schema.Struct({
  ...ConnectionKey.fields,
  /**
   * Which of the provider's calendars: its own id or, for CalDAV, its URL; no name that is another's with other
   * credentials.
   */
  calendar: Schema.String,
  createdAt: Schema.DateTimeUtc,
  /** When the calendar or its credentials were last given, not when a token was renewed. */
  updatedAt: Schema.DateTimeUtc
})

/** An account's connection with an outside calendar. */
export type CalendarConnection = typeof CalendarConnection.Type

/**
 * What is kept in the place of credentials that nobody can open any more. They open no calendar: the account has to be
 * connected anew.
 */
export const lostCredentials: Redacted.Redacted<string> = Redacted.make("")

/** Whether credentials are {@link lostCredentials}. */
export const areLost = (credentials: Redacted.Redacted<string>): boolean => Redacted.value(credentials) === ""
