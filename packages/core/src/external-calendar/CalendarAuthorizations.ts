import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import * as InstallationKey from "../access/InstallationKey.ts"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import { OAuthProvider } from "./CalendarConnector.ts"

/** How long a person has to grant access. */
export const timeToLive: Duration.Duration = Duration.minutes(10)

/** The maximum length of a `state` that is read. Those of {@link make} are shorter. */
const maxLength = 4_096

/** An authorization that was begun, as its `state` has it. */
export const CalendarAuthorization = Schema.Struct({
  accountId: AccountId,
  provider: OAuthProvider,
  /** The id of the calendar to connect. Null: the main one. */
  calendar: Schema.NullOr(Schema.String),
  /** The page to which the browser is sent afterwards. */
  returnUrl: Schema.NullOr(Schema.String),
  redirectUri: Schema.String
})

/** An authorization that was begun. */
export type CalendarAuthorization = typeof CalendarAuthorization.Type

const Signed = Schema.fromJsonString(
  Schema.Struct({ ...CalendarAuthorization.fields, nonce: Schema.String, expiresAt: Schema.Int })
)

const decodeSigned = Schema.decodeUnknownOption(Signed)
const encodeSigned = Schema.encodeSync(Signed)

/** An authorization that a provider has answered. */
export interface AnsweredAuthorization {
  readonly authorization: CalendarAuthorization
  /** Identifies the authorization. It is used once. */
  readonly nonce: string
  readonly verifier: Redacted.Redacted<string>
  readonly expiresAt: DateTime.Utc
}

/**
 * Makes the functions that issue and read the `state` of an authorization (D-EXT-20).
 *
 * A `state` has the authorization itself, signed with a key of the installation, so that any node can read it. The verifier
 * of RFC 7636 is derived from the key and the nonce in the `state`. So it never leaves the server, and nothing is stored.
 */
export const make = Effect.gen(function* () {
  const crypto = yield* Crypto
  const key = yield* InstallationKey.make("calendar-authorizations")
  const mac = (text: string) => crypto.hmacSha256Base64Url(key, Utf8.encode(text))
  const signatureOf = (content: string) => mac(`state:${content}`)
  const verifierOf = (nonce: string) => mac(`verifier:${nonce}`)

  return {
    /** Returns the `state` of an authorization, with the challenge for its verifier. */
    issue: Effect.fnUntraced(function* (authorization: CalendarAuthorization) {
      const nonce = Base64Url.encode(yield* crypto.randomBytes(16))
      const expiresAt = Timestamp.after(yield* DateTime.now, timeToLive)
      const signed = encodeSigned({ ...authorization, nonce, expiresAt: DateTime.toEpochMillis(expiresAt) })
      const content = Base64Url.encode(Utf8.encode(signed))
      const challenge = yield* crypto.sha256(Utf8.encode(yield* verifierOf(nonce)))
      return {
        state: `${content}.${yield* signatureOf(content)}`,
        codeChallenge: Base64Url.encode(challenge),
        expiresAt
      }
    }),
    /** Returns the authorization of a `state`, also of an expired one. Returns none when this installation did not issue it. */
    read: Effect.fnUntraced(function* (state: string): Effect.fn.Return<Option.Option<AnsweredAuthorization>> {
      const [content = "", signature = ""] = state.length > maxLength ? [] : state.split(".", 2)
      const expected = yield* signatureOf(content)
      if (!timingSafeEqual(Utf8.encode(expected), Utf8.encode(signature))) return Option.none()
      const text = Result.getOrUndefined(Result.map(Base64Url.decode(content), (bytes) => Utf8.decode(bytes)))
      const signed = decodeSigned(text)
      if (Option.isNone(signed)) return Option.none()
      const { expiresAt, nonce, ...authorization } = signed.value
      return Option.some({
        authorization,
        nonce,
        verifier: Redacted.make(yield* verifierOf(nonce)),
        expiresAt: DateTime.makeUnsafe(expiresAt)
      })
    })
  }
})
