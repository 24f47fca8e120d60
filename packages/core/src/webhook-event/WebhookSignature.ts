import * as Base64 from "effect/encoding/Base64"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import * as Utf8 from "../values/Utf8.ts"

/** What a secret begins with. */
const secretPrefix = "whsec_"

/** How far the time of a request may be from the receiver's clock, in seconds, unless said. */
export const defaultToleranceSeconds = 300

/** A new secret: 32 random bytes in base64 behind `whsec_`. */
export const generateSecret: Effect.Effect<Redacted.Redacted<string>, never, Crypto> = Effect.map(
  Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(32)),
  (bytes) => Redacted.make(`${secretPrefix}${Base64.encode(bytes)}`, { label: "webhook secret" })
)

/**
 * The signature of C-6.3-1: HMAC-SHA256 of the body in lower-case hexadecimal, keyed with the secret as it is
 * written, its prefix included. The secret is not empty.
 */
export const sign = (body: Uint8Array, secret: Redacted.Redacted<string>): Effect.Effect<string, never, Crypto> =>
  // The context is asked directly: beside a native HMAC the step of a `flatMap` more can be measured.
  Effect.contextWith((context: Context.Context<Crypto>) =>
    Context.get(context, Crypto).hmacSha256Hex(Redacted.value(secret), body)
  )

/** Whether {@link sign} gives exactly this signature, compared in constant time. */
export const verify = (
  body: Uint8Array,
  signature: string,
  secret: Redacted.Redacted<string>
): Effect.Effect<boolean, never, Crypto> => Effect.map(sign(body, secret), (expected) => sameText(expected, signature))

/** What the second scheme signs beside the body: the id of the delivery, and when it is sent in Unix seconds. */
export interface StandardContent {
  readonly id: string
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * The `webhook-signature` of the Standard Webhooks specification: `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, keyed with the bytes that the secret stands for; one for each secret, separated by spaces.
 */
export const signStandard = (
  content: StandardContent,
  secrets: ReadonlyArray<Redacted.Redacted<string>>
): Effect.Effect<string, never, Crypto> => {
  const head = Utf8.encode(`${content.id}.${content.timestamp}.`)
  const signed = new Uint8Array(head.length + content.body.length)
  signed.set(head)
  signed.set(content.body, head.length)
  return Effect.map(
    Effect.forEach(secrets, (secret) => hmac(standardKey(Redacted.value(secret)), signed)),
    (macs) => macs.map((mac) => `v1,${Base64.encode(mac)}`).join(" ")
  )
}

/** The three headers of a request in the second scheme, as they arrived. */
export interface StandardHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/**
 * Whether one of the signatures is that of {@link signStandard} under the secret, and the request is not too old or too
 * early. All are compared in constant time. Receivers without Effect use `@frontdesk/webhook-receiver`.
 */
export const verifyStandard = Effect.fnUntraced(function* (
  headers: StandardHeaders,
  body: Uint8Array,
  secret: Redacted.Redacted<string>,
  now: DateTime.Utc,
  toleranceSeconds: number = defaultToleranceSeconds
) {
  // An id with a full stop could end elsewhere in `id.timestamp.body`, and a time has one way to be written.
  if (!/^[\w-]{1,128}$/.test(headers.id) || !/^(?:0|[1-9]\d{0,11})$/.test(headers.timestamp)) return false
  const timestamp = Number(headers.timestamp)
  // Written so that a tolerance which is no number accepts nothing.
  if (!(Math.abs(DateTime.toEpochMillis(now) / 1_000 - timestamp) <= toleranceSeconds)) return false
  const expected = yield* signStandard({ id: headers.id, timestamp, body }, [secret])
  return headers.signature
    .split(" ")
    .map((candidate) => sameText(expected, candidate))
    .some((same) => same)
})

const hmac = (key: Uint8Array, data: Uint8Array) => Effect.flatMap(Crypto, (crypto) => crypto.hmacSha256(key, data))

/** The bytes behind the prefix; a secret that is not base64 there is its own key. */
const standardKey = (secret: string): Uint8Array => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const decoded = Result.getOrElse(Base64.decode(text), () => new Uint8Array())
  return decoded.length > 0 ? decoded : Utf8.encode(secret)
}

const sameText = (a: string, b: string): boolean => timingSafeEqual(Utf8.encode(a), Utf8.encode(b))
