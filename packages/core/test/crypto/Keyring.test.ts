import { describe, expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Keyring from "@frontdesk/core/crypto/Keyring"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

const [a, b] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"))

const versions = (text: string) =>
  Result.map(Keyring.parse(text), ({ current, keys }) => [current?.version, keys.map(({ version }) => version)])

describe("Keyring.parse", () => {
  it("takes the first key as the current one and keeps all keys in order", () => {
    expect(versions(`v2:${b}, v1:${a}`)).toEqual(Result.succeed(["v2", ["v2", "v1"]]))
    expect(versions(`\nv2:${b}\r\nv1:${a}\n`)).toEqual(Result.succeed(["v2", ["v2", "v1"]]))
    expect(versions(`plain,v1:${a}`)).toEqual(Result.succeed([undefined, ["v1"]]))
    expect(versions("plain")).toEqual(Result.succeed([undefined, []]))
    expect(Keyring.parse("")).toEqual(Result.succeed(Keyring.empty))
  })

  it("returns isPlain for a text that begins with the word plain, and not for an empty text", () => {
    const isPlain = (text: string) => Result.getOrThrow(Keyring.parse(text)).isPlain
    expect(["", `v1:${a}`, "plain", `plain,v1:${a}`].map(isPlain)).toEqual([false, false, true, true])
  })

  it("decodes the bytes of each key", () => {
    const { current } = Result.getOrThrow(Keyring.parse(`v1:${a}`))
    expect(current === null ? null : Buffer.from(Redacted.value(current.bytes)).toString("base64")).toBe(a)
  })

  it.each([
    a ?? "",
    `:${a}`,
    `v 1:${a}`,
    `${"v".repeat(33)}:${a}`,
    `plain:${a}`,
    `v1:${a},plain`,
    "v1:",
    "v1",
    `v1:${a?.slice(0, -1)}`,
    `v1:${Buffer.alloc(31, 1).toString("base64")}`,
    `v1:${Buffer.alloc(33, 1).toString("base64")}`,
    `v1:${Buffer.alloc(32, 255).toString("base64url")}`,
    `v1:${a},v1:${b}`
  ])("fails for a wrong text without repeating any of it: case %#", (text) => {
    const refused = Result.getOrThrow(Result.flip(Keyring.parse(text)))
    for (const key of [a, b, Buffer.alloc(32, 255).toString("base64url")]) expect(refused).not.toContain(key)
    expect(refused).not.toContain("v1")
  })

  it.effect("accepts every key that generateKey returns, and each of those is different", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.all([Keyring.generateKey, Keyring.generateKey])
      const [first, second] = keys.map(Redacted.value)
      expect(first).not.toBe(second)
      expect(versions(`v1:${first},v2:${second}`)).toEqual(Result.succeed(["v1", ["v1", "v2"]]))
    }).pipe(Effect.provide(Crypto.layerWebCrypto))
  )

  it("returns a keyring that prints no key", () => {
    const ring = Result.getOrThrow(Keyring.parse(`v1:${a}`))
    expect(JSON.stringify(ring)).not.toContain(a?.slice(0, 8))
    expect(JSON.stringify(ring)).not.toContain("1,1,1")
  })
})
