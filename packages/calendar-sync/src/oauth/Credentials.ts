import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The credentials of a connection: JSON with the refresh token. */
const Credentials = Schema.fromJsonString(Schema.Struct({ refreshToken: Schema.NonEmptyString }))

const read = Schema.decodeUnknownEffect(Credentials)

/** The credentials of a connection that was given a refresh token. */
export const encode = (refreshToken: Redacted.Redacted<string>): Redacted.Redacted<string> =>
  Redacted.make(JSON.stringify({ refreshToken: Redacted.value(refreshToken) }))

/** The refresh token of a connection's credentials; `unauthorized` when they are of another kind. */
export const decode = (
  credentials: Redacted.Redacted<string>
): Effect.Effect<Redacted.Redacted<string>, CalendarSyncError> =>
  read(Redacted.value(credentials)).pipe(
    Effect.map(({ refreshToken }) => Redacted.make(refreshToken)),
    // The cause of the error would show what was read.
    Effect.mapError(
      () =>
        new CalendarSyncError({
          reason: "unauthorized",
          cause: "the credentials of the connection hold no refresh token: connect the account anew"
        })
    )
  )
