import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { resolveBothFamilies } from "../src/Resolver.ts"

describe("Resolver", () => {
  const [v4, v6] = [["192.0.2.1"], ["2001:db8::1"]]
  const after = (seconds: number, addresses: ReadonlyArray<string>) =>
    Effect.delay(Effect.succeed(addresses), `${seconds} seconds`)

  it.effect.each([
    { name: "both in time", first: after(0, v4), second: after(0, v6), seconds: 0, addresses: [...v4, ...v6] },
    { name: "IPv6 soon after", first: after(2, v4), second: after(2.9, v6), seconds: 2.9, addresses: [...v4, ...v6] },
    { name: "IPv6 a second late", first: after(1, v4), second: after(2.1, v6), seconds: 2, addresses: v4 },
    { name: "IPv4 never", first: Effect.never, second: after(1, v6), seconds: 2, addresses: v6 },
    { name: "no IPv6", first: after(3, v4), second: Effect.fail("none"), seconds: 3, addresses: v4 },
    { name: "no IPv4, IPv6 late", first: after(0, []), second: after(5, v6), seconds: 5, addresses: v6 }
  ])(
    "the second address family has one more second after addresses of the first have arrived ($name)",
    ({ addresses, first, second, seconds }) =>
      Effect.gen(function* () {
        const resolving = yield* Effect.forkChild(resolveBothFamilies<string>(first, second))
        if (seconds > 0) {
          yield* TestClock.adjust(seconds * 1_000 - 1)
          expect(resolving.pollUnsafe()).toBeUndefined()
        }
        yield* TestClock.adjust(1)
        expect(resolving.pollUnsafe()).toBeDefined()
        expect(yield* Fiber.join(resolving)).toEqual(addresses)
      })
  )

  it.effect("without any address the result is that of IPv4: its error, or an empty list", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(resolveBothFamilies(Effect.fail("no IPv4"), Effect.fail("no IPv6")))).toBe("no IPv4")
      expect(yield* resolveBothFamilies(Effect.succeed([]), Effect.fail("no IPv6"))).toEqual([])
    })
  )
})
