import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `BusinessContextStore`. */
export const businessContextStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: BusinessContextStore`, (it) => {
    it.effect("values returns an empty object for an account that has set no value", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        expect(yield* (yield* BusinessContextStore).values(account.id)).toEqual({})
      })
    )

    it.effect("write sets and removes the given names, and leaves other names and other accounts unchanged", () =>
      Effect.gen(function* () {
        const business = yield* BusinessContextStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* business.write(account.id, { set: { a: 1, b: "two", c: true }, remove: [] })
        yield* business.write(other.id, { set: { a: "theirs" }, remove: [] })
        yield* business.write(account.id, { set: { b: "changed", d: "new" }, remove: ["a", "never_set"] })
        expect(yield* business.values(account.id)).toEqual({ b: "changed", c: true, d: "new" })
        expect(yield* business.values(other.id)).toEqual({ a: "theirs" })
      })
    )

    it.effect("values returns the names in code point order, whatever the order in which they were set", () =>
      Effect.gen(function* () {
        const business = yield* BusinessContextStore
        const account = yield* Samples.makeAccount()
        yield* business.write(account.id, { set: { b: 1, _a: 2, z: 3 }, remove: [] })
        yield* business.write(account.id, { set: { a_10: 4, B: 5, a_2: 6, a: 7 }, remove: ["z"] })
        expect(Object.keys(yield* business.values(account.id))).toEqual(["B", "_a", "a", "a_10", "a_2", "b"])
      })
    )

    it.effect("values returns every value with the type and the text with which it was set", () =>
      Effect.gen(function* () {
        const business = yield* BusinessContextStore
        const account = yield* Samples.makeAccount()
        const set = {
          text: "42",
          number: 42,
          fraction: -0.125,
          large: 1e300,
          yes: true,
          no: false,
          empty: "",
          constructor: "a name like any other",
          ...Object.fromEntries([["__proto__", "another"]]),
          odd: Samples.oddTexts.join("|")
        }
        yield* business.write(account.id, { set, remove: [] })
        const values = yield* business.values(account.id)
        expect(values).toEqual(set)
        expect(Object.keys(values)).toContain("__proto__")
      })
    )

    it.effect("concurrent writes of different names are all stored", () =>
      Effect.gen(function* () {
        const business = yield* BusinessContextStore
        const account = yield* Samples.makeAccount()
        const names = Array.from({ length: 12 }, (_, index) => `name_${index}`)
        yield* Effect.forEach(
          names,
          (variable) => business.write(account.id, { set: { [variable]: variable }, remove: [] }),
          { concurrency: "unbounded", discard: true }
        )
        expect(yield* business.values(account.id)).toEqual(Object.fromEntries(names.map((each) => [each, each])))
      })
    )
  })
}
