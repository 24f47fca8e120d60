import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The user name and password of an account at a CalDAV server. For iCloud it is an app-specific password. */
export const CaldavCredentials = Schema.Struct({
  /** The user name. It has no ":", which would end it in the header (RFC 7617 2). */
  username: Schema.String.check(
    Schema.isPattern(/^[^:\p{Cc}]+$/u, { description: "a user name without : and without control characters" })
  ),
  password: Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^[^\p{Cc}]+$/u, { description: "a password without control characters" }))
  )
})

/** The user name and password of an account at a CalDAV server. */
export type CaldavCredentials = typeof CaldavCredentials.Type

const Text = Schema.fromJsonString(CaldavCredentials)

/** Returns the credentials in the form in which a connection stores them. */
export const encode = (credentials: CaldavCredentials): Redacted.Redacted<string> =>
  Redacted.make(Schema.encodeSync(Text)(credentials))

const decodeText = Schema.decodeUnknownEffect(Text)

/** Returns the credentials that a connection has stored. Fails with `unauthorized` when they are not those of CalDAV. */
export const decode = (text: Redacted.Redacted<string>): Effect.Effect<CaldavCredentials, CalendarSyncError> =>
  Effect.mapError(
    decodeText(Redacted.value(text)),
    () =>
      new CalendarSyncError({
        reason: "unauthorized",
        cause: "the credentials are not a user name and a password: connect the calendar again"
      })
  )
