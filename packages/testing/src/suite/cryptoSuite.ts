import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `Crypto`. */
export const cryptoSuite = <E>(
  name: string,
  crypto: Layer.Layer<Crypto, E>,
  options: Pick<SuiteOptions, "runner" | "timeout"> = {}
): void => {
  layer(crypto, options)(`${name}: Crypto`, (it) => {
    for (const { text, digest } of digests) {
      it.effect(`sha256 and sha256Hex of "${text}" return the digest of FIPS 180-2`, () =>
        Effect.gen(function* () {
          const { sha256, sha256Hex } = yield* Crypto
          expect(Hex.encode(yield* sha256(Utf8.encode(text)))).toBe(digest)
          expect(yield* sha256Hex(Utf8.encode(text))).toBe(digest)
        })
      )
    }

    for (const { key, data, mac, testCase } of macs) {
      it.effect(`hmacSha256 returns the code of RFC 4231, test case ${testCase}`, () =>
        Effect.gen(function* () {
          const { hmacSha256 } = yield* Crypto
          expect(Hex.encode(yield* hmacSha256(key, Utf8.encode(data)))).toBe(mac)
        })
      )
    }

    it.effect("hmacSha256Hex takes the key as UTF-8 and returns lower case hexadecimal digits", () =>
      Effect.gen(function* () {
        const { hmacSha256, hmacSha256Hex } = yield* Crypto
        for (const key of ["k", "whsec_Zoë 日本 😀", "x".repeat(200)]) {
          for (const data of [new Uint8Array(), Uint8Array.of(0, 255, 128), new Uint8Array(100_000)]) {
            expect(yield* hmacSha256Hex(key, data)).toBe(Hex.encode(yield* hmacSha256(Utf8.encode(key), data)))
          }
        }
      })
    )

    it.effect("hmacSha256Base64Url returns the bytes of hmacSha256 in base64url without padding", () =>
      Effect.gen(function* () {
        const { hmacSha256, hmacSha256Base64Url } = yield* Crypto
        for (const { data, key } of macs) {
          for (const suffix of ["", "é 日本 😀", "?".repeat(100_000)]) {
            const bytes = Utf8.encode(data + suffix)
            const mac = yield* hmacSha256Base64Url(key, bytes)
            expect(mac).toMatch(/^[\w-]{43}$/)
            expect(mac).toBe(Base64Url.encode(yield* hmacSha256(key, bytes)))
          }
        }
      })
    )

    it.effect("digests do not change the bytes of their arguments", () =>
      Effect.gen(function* () {
        const { hmacSha256, hmacSha256Base64Url, sha256, sha256Hex } = yield* Crypto
        const [key, data] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)]
        yield* sha256(data)
        yield* sha256Hex(data)
        yield* hmacSha256(key, data)
        yield* hmacSha256Base64Url(key, data)
        expect([...key, ...data]).toEqual([1, 2, 3, 4, 5, 6])
      })
    )

    it.effect("randomBytes returns the requested number of bytes, different in each call", () =>
      Effect.gen(function* () {
        const { randomBytes } = yield* Crypto
        for (const size of [0, 1, 16, 32, 1_000]) expect((yield* randomBytes(size)).length).toBe(size)
        const made = yield* Effect.forEach(Array.from({ length: 100 }), () => randomBytes(16))
        expect(new Set(made.map(Hex.encode)).size).toBe(100)
      })
    )

    it.effect("uuid and uuidV7 return unique lower case UUIDs of versions 4 and 7", () =>
      Effect.gen(function* () {
        const { uuid, uuidV7 } = yield* Crypto
        const random = yield* Effect.forEach(Array.from({ length: 2_000 }), () => uuid)
        const sorted = yield* Effect.forEach(Array.from({ length: 2_000 }), () => uuidV7)
        for (const id of random) expect(id).toMatch(uuidPattern(4))
        for (const id of sorted) expect(id).toMatch(uuidPattern(7))
        expect(new Set([...random, ...sorted]).size).toBe(4_000)
      })
    )

    it.effect("a UUID of uuidV7 sorts after the UUIDs of earlier milliseconds", () =>
      Effect.gen(function* () {
        const { uuidV7 } = yield* Crypto
        yield* TestClock.setTime(1_772_442_000_000)
        const made = yield* Effect.forEach(Array.from({ length: 50 }), () =>
          Effect.tap(uuidV7, () => TestClock.adjust("1 millis"))
        )
        expect(made.toSorted()).toEqual(made)
      })
    )
  })
}

const uuidPattern = (version: number): RegExp =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

const digests = [
  { text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
  { text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  {
    text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
  }
]

const macs = [
  {
    testCase: 1,
    key: new Uint8Array(20).fill(0x0b),
    data: "Hi There",
    mac: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
  },
  {
    testCase: 2,
    key: Utf8.encode("Jefe"),
    data: "what do ya want for nothing?",
    mac: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
  },
  {
    testCase: 6,
    key: new Uint8Array(131).fill(0xaa),
    data: "Test Using Larger Than Block-Size Key - Hash Key First",
    mac: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
  }
]
