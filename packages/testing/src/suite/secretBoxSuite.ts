import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { SecretBox, versionOf } from "@frontdesk/core/crypto/SecretBox"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { codePoint } from "../arbitrary/text.ts"
import * as Property from "../Property.ts"
import { expect } from "./Expect.ts"
import type { RunnerOptions } from "./Runner.ts"
import { describe } from "./Tests.ts"

/** Verifies a `SecretBox` that is made from a keyring. */
export const secretBoxSuite = (
  name: string,
  layer: (keyring: Keyring.Keyring) => Layer.Layer<never>,
  options: RunnerOptions = {}
): void => {
  const as = (keys: string) => Effect.provide(layer(keyring(keys)))

  describe(options)(`${name}: SecretBox`, (it) => {
    it.effect("open returns any text that seal has sealed for the same context", () =>
      Property.forAll(fc.tuple(text, text), ([secret, context]) =>
        Effect.gen(function* () {
          const sealed = yield* seal(secret, context)
          expect(sealed.startsWith("sealed:1:v1:")).toBe(true)
          expect(versionOf(sealed)).toBe("v1")
          expect(yield* open(sealed, context)).toBe(secret)
        })
      ).pipe(as(`v1:${keyA}`))
    )

    it.effect("seal without a key stores a plain text, which open returns with any keyring and context", () =>
      Property.forAll(plain, (secret) =>
        Effect.gen(function* () {
          const stored = yield* seal(secret, "c")
          expect(versionOf(stored)).toBe(null)
          // A plain text that contains the mark of a sealed one is stored with a prefix.
          if (!secret.includes("sealed:")) expect(stored).toBe(secret)
          expect(yield* open(stored, "c")).toBe(secret)
          expect(yield* open(stored, "another").pipe(as(`v1:${keyA}`))).toBe(secret)
        })
      ).pipe(as(""))
    )

    it.effect("seal returns a different text each time, and none contains the secret", () =>
      Effect.gen(function* () {
        const sealed = yield* Effect.forEach(Array.from({ length: 100 }), () => seal("whsec_secret", "c"))
        expect(new Set(sealed).size).toBe(100)
        // The nonce: the 16 characters after `sealed:1:v1:`.
        expect(new Set(sealed.map((one) => one.slice(12, 28))).size).toBe(100)
        expect(sealed.join()).not.toContain("whsec_secret")
      }).pipe(as(`v1:${keyA}`))
    )

    it.effect("open fails as damaged in another context", () =>
      Effect.gen(function* () {
        const sealed = yield* seal("secret", "webhook.secret:1")
        for (const other of ["webhook.secret:2", "webhook.secret:11", "webhook.secret:", "", "idempotency.answer:1"]) {
          expect(yield* refusal(sealed, other)).toEqual(["damaged", "v1"])
        }
      }).pipe(as(`v1:${keyA}`))
    )

    it.effect("open fails when any bit of nonce, ciphertext or tag, or any character, was changed", () =>
      Effect.gen(function* () {
        const sealed = yield* seal("secret", "c")
        const head = "sealed:1:v1:"
        const bytes = Result.getOrThrow(Base64Url.decode(sealed.slice(head.length)))
        expect(bytes.length).toBe(12 + "secret".length + 16)
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const changed = Uint8Array.from(bytes)
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          expect(yield* refusal(head + Base64Url.encode(changed), "c")).toEqual(["damaged", "v1"])
        }
        // Without the prefix "sealed:" it would be a plain text.
        for (let place = 7; place < sealed.length; place++) {
          for (const character of ["A", "_", "=", "~", ""]) {
            const changed = sealed.slice(0, place) + character + sealed.slice(place + 1)
            // Any failure is right.
            if (changed !== sealed) yield* refusal(changed, "c")
          }
        }
        // Base64 of 34 bytes uses only two bits of its last character, so the others must be zero.
        for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
          const changed = sealed.slice(0, -1) + last
          if (changed !== sealed) expect(yield* refusal(changed, "c")).toEqual(["damaged", "v1"])
        }
        for (const torn of [sealed.slice(0, -1), `${sealed}A`, `${sealed} `, sealed.slice(0, 20), "sealed:"]) {
          yield* refusal(torn, "c")
        }
      }).pipe(as(`v1:${keyA}`))
    )

    it.effect("open fails when the key version was changed, even if both versions have the same key", () =>
      Effect.gen(function* () {
        const sealed = yield* seal("secret", "c")
        expect(yield* refusal(sealed.replace(":v1:", ":v2:"), "c")).toEqual(["damaged", "v2"])
      }).pipe(as(`v1:${keyA},v2:${keyA}`))
    )

    it.effect("seal uses the first key of the keyring, and open uses the key that sealed the text", () =>
      Effect.gen(function* () {
        const old = yield* seal("secret", "c").pipe(as(`v1:${keyA}`))
        for (const keys of [`v2:${keyB},v1:${keyA}`, `plain,v1:${keyA}`]) {
          expect(yield* open(old, "c").pipe(as(keys))).toBe("secret")
        }
        expect(versionOf(yield* seal("secret", "c").pipe(as(`v2:${keyB},v1:${keyA}`)))).toBe("v2")
        expect(yield* seal("secret", "c").pipe(as(`plain,v1:${keyA}`))).toBe("secret")
        expect(yield* refusal(old, "c").pipe(as(`v2:${keyB}`))).toEqual(["unknown_key", "v1"])
        expect(yield* refusal(old, "c").pipe(as(`v1:${keyB}`))).toEqual(["damaged", "v1"])
        expect(yield* refusal(old, "c").pipe(as(""))).toEqual(["unknown_key", "v1"])
      })
    )
  })
}

const [keyA, keyB] = [7, 8].map((byte) => Base64.encode(new Uint8Array(32).fill(byte)))

const keyring = (keys: string): Keyring.Keyring => Result.getOrThrow(Keyring.parse(keys))

const text = fc.string({ unit: codePoint, maxLength: 200 })

/** Texts, some of which begin like a sealed text or like the stored form of a plain text. */
const plain = fc
  .tuple(fc.constantFrom("", "sealed:", "sealed:1:v1:", "plain:", "plain:sealed:", "plain:plain:sealed:1:x"), text)
  .map((parts) => parts.join(""))

const seal = (secret: string, context: string) =>
  Effect.flatMap(SecretBox, (box) => Effect.map(box.seal(Redacted.make(secret), context), Redacted.value))

const open = (stored: string, context: string) =>
  Effect.flatMap(SecretBox, (box) => Effect.map(box.open(Redacted.make(stored), context), Redacted.value))

/** Returns why a text cannot be opened: the kind of the failure, and the key version. */
const refusal = (stored: string, context: string) =>
  Effect.map(Effect.flip(open(stored, context)), ({ kind, version }) => [kind, version])
