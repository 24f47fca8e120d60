import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The name and password of an account with a CalDAV server; of iCloud an app-specific password. */
export const CaldavCredentials = Schema.Struct({
  /** Without ":", which would end it (RFC 7617 2). */
  username: Schema.String.check(Schema.isPattern(/^[^:\p{Cc}]+$/u)),
  password: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[^\p{Cc}]+$/u)))
})

/** The name and password of an account with a CalDAV server. */
export type CaldavCredentials = typeof CaldavCredentials.Type

const Text = Schema.fromJsonString(CaldavCredentials)

/** The credentials as a connection keeps them. */
export const encode = (credentials: CaldavCredentials): Redacted.Redacted<string> =>
  Redacted.make(Schema.encodeSync(Text)(credentials))

const decodeText = Schema.decodeUnknownEffect(Text)

/** The credentials of a connection; fails with `unauthorized` when they are none of CalDAV. */
export const decode = (text: Redacted.Redacted<string>): Effect.Effect<CaldavCredentials, CalendarSyncError> =>
  Effect.mapError(
    decodeText(Redacted.value(text)),
    () =>
      new CalendarSyncError({
        reason: "unauthorized",
        cause: "the credentials are no user name and password: connect the calendar anew"
      })
  )
