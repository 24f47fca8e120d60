import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The credentials of a connection, as JSON: the refresh token. */
const Credentials = Schema.fromJsonString(Schema.Struct({ refreshToken: Schema.NonEmptyString }))

const read = Schema.decodeUnknownEffect(Credentials)

/** Returns the credentials of a connection for a refresh token. */
export const encode = (refreshToken: Redacted.Redacted<string>): Redacted.Redacted<string> =>
  Redacted.make(JSON.stringify({ refreshToken: Redacted.value(refreshToken) }))

/** Returns the refresh token in the credentials of a connection. Fails with `unauthorized` when they have none. */
export const decode = (
  credentials: Redacted.Redacted<string>
): Effect.Effect<Redacted.Redacted<string>, CalendarSyncError> =>
  read(Redacted.value(credentials)).pipe(
    Effect.map(({ refreshToken }) => Redacted.make(refreshToken)),
    // The original error is dropped because it would quote the credentials.
    Effect.mapError(
      () =>
        new CalendarSyncError({
          reason: "unauthorized",
          cause: "the credentials of the connection have no refresh token: connect the account again"
        })
    )
  )
