import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { encodePlain, needsOpening, SecretBox, StoredText, versionOf } from "@frontdesk/core/crypto/SecretBox"
import { SecretUnreadable } from "@frontdesk/core/crypto/SecretError"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import { mutantsOf, onlyFirst } from "./Mutant.ts"

/** Mutants of `Crypto`. */
export const crypto = mutantsOf(Crypto, {
  "sha256 is truncated": (real) => ({
    sha256: (data) => Effect.map(real.sha256(data), (digest) => digest.subarray(0, 16))
  }),
  "sha256Hex is in upper case": (real) => ({
    sha256Hex: (data) => Effect.map(real.sha256Hex(data), (digest) => digest.toUpperCase())
  }),
  "sha256 overwrites its argument": (real) => ({
    sha256: (data) => Effect.tap(real.sha256(data), () => Effect.sync(() => data.fill(0)))
  }),
  "hmacSha256 ignores the key": (real) => ({ hmacSha256: (_key, data) => real.sha256(data) }),
  "hmacSha256 truncates a long key": (real) => ({
    hmacSha256: (key, data) => real.hmacSha256(key.subarray(0, 64), data)
  }),
  "hmacSha256 overwrites its key": (real) => ({
    hmacSha256: (key, data) => Effect.tap(real.hmacSha256(key, data), () => Effect.sync(() => key.fill(0)))
  }),
  "hmacSha256Hex is in upper case": (real) => ({
    hmacSha256Hex: (key, data) => Effect.map(real.hmacSha256Hex(key, data), (mac) => mac.toUpperCase())
  }),
  "hmacSha256Hex takes the key as Latin-1": (real) => ({
    hmacSha256Hex: (key, data) =>
      Effect.map(
        real.hmacSha256(
          Uint8Array.from(key, (unit) => unit.charCodeAt(0)),
          data
        ),
        Hex.encode
      )
  }),
  "hmacSha256Base64Url has padding": (real) => ({
    hmacSha256Base64Url: (key, data) => Effect.map(real.hmacSha256Base64Url(key, data), (mac) => `${mac}=`)
  }),
  "hmacSha256Base64Url is base64": (real) => ({
    hmacSha256Base64Url: (key, data) =>
      Effect.map(real.hmacSha256Base64Url(key, data), (mac) => mac.replaceAll("-", "+").replaceAll("_", "/"))
  }),
  "randomBytes is predictable": () => ({ randomBytes: (size) => Effect.succeed(new Uint8Array(size)) }),
  "randomBytes returns 16 bytes": (real) => ({ randomBytes: () => real.randomBytes(16) }),
  "uuid repeats": (real) => ({ uuid: onlyFirst(() => real.uuid)() }),
  "uuid is in upper case": (real) => ({ uuid: Effect.map(real.uuid, (id) => id.toUpperCase()) }),
  "uuid has version 7": (real) => ({ uuid: real.uuidV7 }),
  "uuidV7 has version 4": (real) => ({ uuidV7: real.uuid }),
  "uuidV7 does not sort by time": (real) => ({
    uuidV7: Effect.map(real.uuid, (id) => `${id.slice(0, 14)}7${id.slice(15)}`)
  })
})

/** Mutants of `SecretBox`. */
export const secretBox = mutantsOf(SecretBox, {
  "seal stores secrets plain": () => ({ seal: (secret) => Effect.succeed(encodePlain(secret)) }),
  "seal stores a plain secret that looks sealed unchanged": (box) => ({
    seal: (secret, context) =>
      box.version === null
        ? Effect.succeed(Redacted.make(StoredText.make(Redacted.value(secret))))
        : box.seal(secret, context)
  }),
  "seal returns the same text each time": (box) => {
    const texts = new Map<string, Redacted.Redacted<StoredText>>()
    return {
      seal: (secret, context) => {
        const key = JSON.stringify([Redacted.value(secret), context])
        const known = texts.get(key)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(box.seal(secret, context), (text) => Effect.sync(() => texts.set(key, text)))
      }
    }
  },
  "seal ignores the context": (box) => ({
    seal: (secret) => box.seal(secret, ""),
    open: (stored) => box.open(stored, "")
  }),
  "open returns a text that it cannot open": (box) => ({
    open: (stored, context) => Effect.orElseSucceed(box.open(stored, context), () => stored)
  }),
  "open does not open plain texts when there is a key": (box) => ({
    open: (stored, context) =>
      box.version !== null && !needsOpening(Redacted.value(stored))
        ? Effect.fail(new SecretUnreadable({ kind: "damaged", version: null }))
        : box.open(stored, context)
  }),
  "open opens with the first key only": (box) => ({
    open: (stored, context) => {
      const version = versionOf(Redacted.value(stored))
      return version !== null && version !== box.version
        ? Effect.fail(new SecretUnreadable({ kind: "unknown_key", version }))
        : box.open(stored, context)
    }
  }),
  "open does not report an unknown key": (box) => ({
    open: (stored, context) =>
      Effect.mapError(box.open(stored, context), ({ version }) => new SecretUnreadable({ kind: "damaged", version }))
  }),
  "open ignores white space after the text": (box) => ({
    open: (stored, context) => box.open(Redacted.make(Redacted.value(stored).trimEnd()), context)
  })
})
