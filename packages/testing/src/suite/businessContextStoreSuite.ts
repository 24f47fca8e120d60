import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `BusinessContextStore` promises. */
export const businessContextStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: BusinessContextStore`, (it) => {
    it.effect("an account that never set anything has no values", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        expect(yield* (yield* BusinessContextStore).values(account.id)).toEqual({})
      })
    )

    it.effect("given values are set, given names removed, the others stay", () =>
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

    it.effect("values are in the order of their names, in whichever order they were set", () =>
      Effect.gen(function* () {
        const business = yield* BusinessContextStore
        const account = yield* Samples.makeAccount()
        yield* business.write(account.id, { set: { b: 1, _a: 2, z: 3 }, remove: [] })
        yield* business.write(account.id, { set: { a_10: 4, B: 5, a_2: 6, a: 7 }, remove: ["z"] })
        expect(Object.keys(yield* business.values(account.id))).toEqual(["B", "_a", "a", "a_10", "a_2", "b"])
      })
    )

    it.effect("values keep their type", () =>
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

    it.effect("writes at once lose no name", () =>
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
