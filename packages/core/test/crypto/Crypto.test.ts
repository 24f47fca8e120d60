import { describe, expect, it } from "@effect/vitest"
import { Crypto, timingSafeEqual } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"

describe("Crypto", () => {
  it.effect("sha256 returns the digests of the examples in FIPS 180-2", () =>
    Effect.gen(function* () {
      const { sha256 } = yield* Crypto
      expect(Hex.encode(yield* sha256(Utf8.encode("abc")))).toBe(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      )
      expect(Hex.encode(yield* sha256(new Uint8Array()))).toBe(
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      )
    }).pipe(Effect.provide(Crypto.layerWebCrypto))
  )

  it.effect("hmacSha256 returns the value of test case 2 in RFC 4231", () =>
    Effect.gen(function* () {
      const { hmacSha256 } = yield* Crypto
      const mac = yield* hmacSha256(Utf8.encode("Jefe"), Utf8.encode("what do ya want for nothing?"))
      expect(Hex.encode(mac)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }).pipe(Effect.provide(Crypto.layerWebCrypto))
  )

  it.effect("random bytes have the requested length, and UUIDs have their version's form and differ", () =>
    Effect.gen(function* () {
      const { randomBytes, uuid, uuidV7 } = yield* Crypto
      expect((yield* randomBytes(32)).length).toBe(32)
      expect(yield* uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(yield* uuidV7).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const made = [yield* uuid, yield* uuid, yield* uuidV7, yield* uuidV7]
      expect(new Set(made).size).toBe(4)
    }).pipe(Effect.provide(Crypto.layerWebCrypto))
  )

  it("timingSafeEqual returns true only for byte strings of the same length and bytes", () => {
    const bytes = Uint8Array.of(1, 2, 3)
    expect(timingSafeEqual(bytes, Uint8Array.of(1, 2, 3))).toBe(true)
    for (const other of [[1, 2, 4], [1, 2], [1, 2, 3, 0], []]) {
      expect(timingSafeEqual(bytes, Uint8Array.from(other))).toBe(false)
    }
  })
})
