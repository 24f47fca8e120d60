import { createCipheriv, createDecipheriv } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { encodePlain, layerWebCrypto, needsOpening, SecretBox } from "@frontdesk/core/crypto/SecretBox"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

const key = Buffer.alloc(32, 9)
const [secret, context] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "webhook.secret:12"]
const associated = Buffer.from(`sealed:1:2026-11:${context}`)
const box = (keyring: Keyring.Keyring) => layerWebCrypto(keyring).pipe(Layer.provide(Crypto.layerWebCrypto))
const keyring = Result.getOrThrow(Keyring.parse(`2026-11:${key.toString("base64")}`))

secretBoxSuite("Web Crypto", box)

describe("SecretBox: a sealed text", () => {
  it.effect("can be opened by another implementation of AES-256-GCM", () =>
    Effect.gen(function* () {
      const { seal } = yield* SecretBox
      const sealed = Redacted.value(yield* seal(Redacted.make(secret), context))
      const payload = Buffer.from(sealed.slice("sealed:1:2026-11:".length), "base64url")
      const decipher = createDecipheriv("aes-256-gcm", key, payload.subarray(0, 12))
      decipher.setAAD(associated).setAuthTag(payload.subarray(-16))
      expect(decipher.update(payload.subarray(12, -16), undefined, "utf8") + decipher.final("utf8")).toBe(secret)
    }).pipe(Effect.provide(box(keyring)))
  )

  it.effect("can be opened when another implementation has sealed it", () =>
    Effect.gen(function* () {
      const nonce = Buffer.from("000102030405060708090a0b", "hex")
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associated)
      const payload = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
      const { open } = yield* SecretBox
      const opened = yield* open(Redacted.make(`sealed:1:2026-11:${payload.toString("base64url")}`), context)
      expect(Redacted.value(opened)).toBe(secret)
    }).pipe(Effect.provide(box(keyring)))
  )

  it.effect("cannot be opened without keys, which is the default and seals nothing", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(
        Effect.flatMap(SecretBox, ({ seal }) => seal(Redacted.make(secret), context)),
        box(keyring)
      )
      const { open, seal } = yield* SecretBox
      const error = yield* Effect.flip(open(sealed, context))
      expect(error).toMatchObject({ kind: "unknown_key", version: "2026-11" })
      expect(error.message).toBe('A secret is sealed with the key version "2026-11", which is not given')
      expect(Redacted.value(yield* seal(Redacted.make(secret), context))).toBe(secret)
    })
  )
})

describe("SecretBox: a plain text", () => {
  it("is stored as it is, or behind the prefix plain: when it looks sealed", () => {
    for (const own of ["", secret, '{"id":1}', "plain:x", "unsealed:1", "Sealed:1:v1:AAAA"]) {
      expect(Redacted.value(encodePlain(Redacted.make(own)))).toBe(own)
      expect(needsOpening(own)).toBe(false)
    }
    expect(Redacted.value(encodePlain(Redacted.make("sealed:x")))).toBe("plain:sealed:x")
    expect(Redacted.value(encodePlain(Redacted.make("plain:sealed:x")))).toBe("plain:plain:sealed:x")
  })
})
