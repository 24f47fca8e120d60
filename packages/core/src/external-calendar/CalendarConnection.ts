import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"

/** Identifies a connection. An account has at most one with each provider. */
export const ConnectionKey = Schema.Struct({ accountId: AccountId, provider: CalendarProviderKey })

/** Identifies a connection. An account has at most one with each provider. */
export type ConnectionKey = typeof ConnectionKey.Type

/** An account's connection to an external calendar. Its credentials are stored separately and never shown. */
export const CalendarConnection = Schema.Struct({
  ...ConnectionKey.fields,
  /**
   * The id of the calendar at the provider, or its URL for CalDAV. It is unique at the provider. A name such as
   * `primary`, which means another calendar with other credentials, is not stored.
   */
  calendar: Schema.String,
  createdAt: Schema.DateTimeUtc,
  /** When the calendar or its credentials were last set. The renewal of a token does not change it. */
  updatedAt: Schema.DateTimeUtc
})

/** An account's connection to an external calendar. */
export type CalendarConnection = typeof CalendarConnection.Type

/**
 * Replaces credentials that can no longer be decrypted because their key is lost. They give access to no calendar, so
 * the account must be connected again.
 */
export const lostCredentials: Redacted.Redacted<string> = Redacted.make("")

/** Returns whether credentials are {@link lostCredentials}. */
export const areLost = (credentials: Redacted.Redacted<string>): boolean => Redacted.value(credentials) === ""
