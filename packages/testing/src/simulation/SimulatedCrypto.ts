import { createHash, createHmac } from "node:crypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** Returns the signature of C-6.3-1, computed without the code under test. */
export const signature = (body: string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/**
 * Returns a signature of the Standard Webhooks specification over `id.timestamp.body`, computed without the code under
 * test.
 */
export const standardSignature = (content: string, secret: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(content)
    .digest("base64")}`

/**
 * Returns a synchronous `Crypto` that gives the same results in every run. Digests are real, random bytes come from
 * `draw`, and ids count up.
 */
export const make = (draw: () => number): Crypto["Service"] => {
  let ids = 0
  const uuid = (version: number) => `00000000-${hex(++ids, 4)}-${version}000-8000-000000000000`
  return Crypto.of({
    sha256: (data) => Effect.sync(() => createHash("sha256").update(data).digest()),
    sha256Hex: (data) => Effect.sync(() => createHash("sha256").update(data).digest("hex")),
    hmacSha256: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest()),
    hmacSha256Hex: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest("hex")),
    hmacSha256Base64Url: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest("base64url")),
    randomBytes: (size) => Effect.sync(() => Uint8Array.from({ length: size }, () => Math.floor(draw() * 256))),
    uuid: Effect.sync(() => uuid(4)),
    uuidV7: Effect.sync(() => uuid(7))
  })
}
