import * as Base64 from "effect/encoding/Base64"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import * as Bytes from "../values/Bytes.ts"
import * as Utf8 from "../values/Utf8.ts"

/** The first characters of a secret. */
const secretPrefix = "whsec_"

/** The default maximum difference between the timestamp of a request and the receiver's clock, in seconds. */
export const defaultToleranceSeconds = 300

/** Generates a secret: `whsec_` and 32 random bytes in base64. */
export const generateSecret: Effect.Effect<Redacted.Redacted<string>, never, Crypto> = Effect.map(
  Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(32)),
  (bytes) => Redacted.make(`${secretPrefix}${Base64.encode(bytes)}`, { label: "webhook secret" })
)

/**
 * Returns the signature of C-6.3-1: the HMAC-SHA256 of the body in lower-case hexadecimal. The key is the text of the
 * secret, including its prefix. The secret must not be empty.
 */
export const sign = (body: Uint8Array, secret: Redacted.Redacted<string>): Effect.Effect<string, never, Crypto> =>
  // Reads the service from the context, because the cost of a `flatMap` is measurable beside a native HMAC.
  Effect.contextWith((context: Context.Context<Crypto>) =>
    Context.get(context, Crypto).hmacSha256Hex(Redacted.value(secret), body)
  )

/** Returns whether a signature is exactly that of {@link sign}. The comparison takes constant time (C-6.3-4). */
export const verify = (
  body: Uint8Array,
  signature: string,
  secret: Redacted.Redacted<string>
): Effect.Effect<boolean, never, Crypto> => Effect.map(sign(body, secret), (expected) => sameText(expected, signature))

/**
 * The values that a Standard Webhooks signature covers: the id of the delivery, its send time in Unix seconds, the
 * body.
 */
export interface StandardContent {
  readonly id: string
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * Returns the header `webhook-signature` of the Standard Webhooks specification: one signature for each secret,
 * separated by spaces. A signature is `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`. The key is the
 * decoded secret.
 */
export const signStandard = (
  content: StandardContent,
  secrets: ReadonlyArray<Redacted.Redacted<string>>
): Effect.Effect<string, never, Crypto> => {
  const head = Utf8.encode(`${content.id}.${content.timestamp}.`)
  const signed = Bytes.concat(head, content.body)
  const signWith = (secret: Redacted.Redacted<string>) =>
    Effect.map(hmac(standardKey(Redacted.value(secret)), signed), (mac) => `v1,${Base64.encode(mac)}`)
  const [current, ...others] = secrets
  // Nearly always there is one secret. `forEach` would add a tenth to the cost of the headers.
  if (current !== undefined && others.length === 0) return signWith(current)
  return Effect.map(Effect.forEach(secrets, signWith), (signatures) => signatures.join(" "))
}

/** The three Standard Webhooks headers of a request, as the receiver got them. */
export interface StandardHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/**
 * Returns whether one of the signatures is that of {@link signStandard} for the secret, and the timestamp differs from
 * `now` by at most the tolerance. The comparison takes constant time. Receivers without Effect use
 * `@frontdesk/webhook-receiver`.
 */
export const verifyStandard = Effect.fnUntraced(function* (
  headers: StandardHeaders,
  body: Uint8Array,
  secret: Redacted.Redacted<string>,
  now: DateTime.Utc,
  toleranceSeconds: number = defaultToleranceSeconds
) {
  // With a full stop in the id, other ids and bodies would have the same signed text. A timestamp has only one valid form.
  if (!/^[\w-]{1,128}$/.test(headers.id) || !/^(?:0|[1-9]\d{0,11})$/.test(headers.timestamp)) return false
  const timestamp = Number(headers.timestamp)
  // Negated, so that a tolerance of NaN rejects every request.
  if (!(Math.abs(DateTime.toEpochMillis(now) / 1_000 - timestamp) <= toleranceSeconds)) return false
  const expected = yield* signStandard({ id: headers.id, timestamp, body }, [secret])
  return headers.signature
    .split(" ")
    .map((candidate) => sameText(expected, candidate))
    .some((same) => same)
})

const hmac = (key: Uint8Array, data: Uint8Array) => Effect.flatMap(Crypto, (crypto) => crypto.hmacSha256(key, data))

/** Returns the bytes that the secret encodes after its prefix. A secret that is not base64 is used as text. */
const standardKey = (secret: string): Uint8Array => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const decoded = Result.getOrElse(Base64.decode(text), () => new Uint8Array())
  return decoded.length > 0 ? decoded : Utf8.encode(secret)
}

const sameText = (a: string, b: string): boolean => timingSafeEqual(Utf8.encode(a), Utf8.encode(b))
