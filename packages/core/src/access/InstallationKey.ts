import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Base64Url from "effect/encoding/Base64Url"
import { Crypto } from "../crypto/Crypto.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import { StorageError } from "../storage/StorageError.ts"
import * as Utf8 from "../values/Utf8.ts"
import { InstallationStore } from "./InstallationStore.ts"

/**
 * Returns the key of the installation with this name, as bytes for an HMAC. The first use creates it, and all processes
 * get the same one. Fails with reason `corrupt` when the stored secret cannot be opened.
 */
export const make = Effect.fnUntraced(function* (name: string) {
  const crypto = yield* Crypto
  const installation = yield* InstallationStore
  const box = yield* SecretBox
  const context = SecretContext.installationSecret(name)
  const candidate = Redacted.make(Base64Url.encode(yield* crypto.randomBytes(32)))
  const stored = yield* installation.secret(name, yield* box.seal(candidate, context))
  const secret = yield* Effect.mapError(
    box.open(stored, context),
    (cause) => new StorageError({ reason: "corrupt", operation: `InstallationKey.${name}`, cause })
  )
  return Utf8.encode(Redacted.value(secret))
})
