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

describe("the callers of requests", () => {
  it("all keys of an account are one caller once each was valid (D-LOAD-2)", () => {
    const callers = CallerCache.make()
    callers.remember(request("Bearer one"), account)
    callers.remember(request("Bearer two"), account)
    expect(callers.of(request("Bearer one"))).toBe(CallerCache.ofAccount(account))
    expect(callers.of(request("Bearer two", "198.51.100.1"))).toBe(CallerCache.ofAccount(account))
  })

  it("requests whose keys were never valid are one caller for each address", () => {
    const callers = CallerCache.make()
    const invented = Array.from({ length: 100 }, (_, index) => callers.of(request(`Bearer invented ${index}`)))
    expect(new Set([...invented, callers.of(request(undefined))])).toEqual(new Set(["address:203.0.113.7"]))
    expect(callers.of(request("Bearer invented", "198.51.100.1"))).toBe("address:198.51.100.1")
  })

  it("a key that is no longer valid is forgotten", () => {
    const callers = CallerCache.make()
    callers.remember(request("Bearer one"), account)
    callers.forget(request("Bearer one"))
    expect(callers.of(request("Bearer one"))).toBe("address:203.0.113.7")
  })

  it("of more than 10,000 keys the one that was used last the longest ago is forgotten", () => {
    const callers = CallerCache.make()
    for (let index = 0; index < 10_000; index++) callers.remember(request(`Bearer ${index}`), account)
    callers.remember(request("Bearer 0"), account)
    callers.remember(request("Bearer 10000"), account)
    expect(callers.of(request("Bearer 1"))).toBe("address:203.0.113.7")
    for (const index of [0, 2, 9_999, 10_000]) {
      expect(callers.of(request(`Bearer ${index}`))).toBe(CallerCache.ofAccount(account))
    }
  })
})
