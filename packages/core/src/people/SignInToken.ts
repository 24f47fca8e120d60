import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TokenDigest } from "../access/Session.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import * as Utf8 from "../values/Utf8.ts"

/** A token as a browser presents it. Every token that was issued has 43 characters. */
export const PresentedToken = Schema.Redacted(Schema.String.check(Schema.isMaxLength(255)))

/** Returns a new token of a link or a session: 32 random bytes in base64url. Only its digest is stored (D-MEM-5). */
export const generate = (crypto: Crypto["Service"]): Effect.Effect<Redacted.Redacted<string>> =>
  Effect.map(crypto.randomBytes(32), (bytes) => Redacted.make(Base64Url.encode(bytes), { label: "token" }))

/** Returns the digest of a token, by which its link or session is found. */
export const digestOf = (crypto: Crypto["Service"], token: Redacted.Redacted<string>): Effect.Effect<TokenDigest> =>
  Effect.map(crypto.sha256Hex(Utf8.encode(Redacted.value(token))), (hex) => TokenDigest.make(hex))
