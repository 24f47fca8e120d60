import { AccountId } from "@frontdesk/core/access/Account"
import * as CallerCache from "@frontdesk/http/request/CallerCache"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const request = (authorization: string | undefined, address = "203.0.113.7") => ({
  headers: Headers.fromInput(authorization === undefined ? {} : { authorization }),
  remoteAddress: Option.some(address)
})

const account = AccountId.make(7)

describe("the cache of callers", () => {
  it("returns one caller for all keys of an account that were valid before (D-LOAD-2)", () => {
    const callers = CallerCache.make(({ remoteAddress }) => `address:${Option.getOrThrow(remoteAddress)}`)
    callers.remember(request("Bearer one"), account)
    callers.remember(request("Bearer two"), account)
    expect(callers.of(request("Bearer one"))).toBe(CallerCache.ofAccount(account))
    expect(callers.of(request("Bearer two", "198.51.100.1"))).toBe(CallerCache.ofAccount(account))
  })

  it("returns the address for a request whose key was never valid", () => {
    const callers = CallerCache.make(({ remoteAddress }) => `address:${Option.getOrThrow(remoteAddress)}`)
    const invented = Array.from({ length: 100 }, (_, index) => callers.of(request(`Bearer invented ${index}`)))
    expect(new Set([...invented, callers.of(request(undefined))])).toEqual(new Set(["address:203.0.113.7"]))
    expect(callers.of(request("Bearer invented", "198.51.100.1"))).toBe("address:198.51.100.1")
  })

  it("forgets a key that is no longer valid", () => {
    const callers = CallerCache.make(({ remoteAddress }) => `address:${Option.getOrThrow(remoteAddress)}`)
    callers.remember(request("Bearer one"), account)
    callers.forget(request("Bearer one"))
    expect(callers.of(request("Bearer one"))).toBe("address:203.0.113.7")
  })

  it("remembers the 10,000 keys that were used last, and 20,000 at most", () => {
    const callers = CallerCache.make(({ remoteAddress }) => `address:${Option.getOrThrow(remoteAddress)}`)
    for (let index = 0; index < 30_000; index++) {
      callers.remember(request(`Bearer ${index}`), account)
      callers.remember(request("Bearer 0"), account)
    }
    const isKnown = (index: number) => callers.of(request(`Bearer ${index}`)) === CallerCache.ofAccount(account)
    expect([0, 20_001, 25_000, 29_999].map(isKnown)).toEqual([true, true, true, true])
    expect([1, 9_999].map(isKnown)).toEqual([false, false])
  })
})
