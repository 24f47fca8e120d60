import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/account/Accounts"
import type { Principal } from "@frontdesk/core/access/Principal"
import type { TeamStore } from "@frontdesk/core/access/TeamStore"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as arbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { as, newAccount } from "../contact/caller.ts"

const services = Layer.mergeAll(ContextVariables.layer, BusinessContext.layer, Accounts.layer).pipe(
  Layer.provideMerge(MemoryStorage.layer)
)

describe("BusinessContext", () => {
  it.effect("values are stored in canonical form, and null removes them (C-2.4-9, C-4.5-7)", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      yield* business.set({ variables: { industry: "retail", seats: 5 }, autoCreateVariables: true })
      yield* business.set({ variables: { seats: "42", website: "https://example.com" } })
      expect(yield* business.get).toEqual({ industry: "retail", seats: 42, website: "https://example.com" })
      yield* business.set({ variables: { industry: null, unknown: null } })
      expect(yield* business.get).toEqual({ seats: 42, website: "https://example.com" })
    }).pipe(inAccount())
  )

  it.effect("another account has neither the values nor the definitions", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      yield* business.set({ variables: { seats: 5 }, autoCreateVariables: true })
      const other = yield* newAccount()
      expect(yield* business.get.pipe(as(other))).toEqual({})
      expect(yield* Effect.flip(business.set({ variables: { seats: 5 } }).pipe(as(other)))).toMatchObject({
        _tag: "UndefinedVariable",
        names: ["seats"]
      })
    }).pipe(inAccount())
  )

  it.effect("a request with one invalid value stores no value and no definition (D-VAR-11)", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      const variables = yield* ContextVariables
      const before = yield* variables.list()
      const invalid = business.set({ variables: { fresh: 1, industry: 5, website: "x" }, autoCreateVariables: true })
      expect(yield* Effect.flip(invalid)).toMatchObject({ _tag: "InvalidValue", problems: [{ name: "industry" }] })
      expect(yield* business.get).toEqual({})
      expect(yield* variables.list()).toEqual(before)
    }).pipe(inAccount())
  )

  it.effect("autoCreateVariables creates an ordinary definition with display name and type", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      const variables = yield* ContextVariables
      yield* business.set({ variables: { head_count: 5 }, autoCreateVariables: true })
      expect((yield* variables.list("business")).at(-1)).toMatchObject({
        name: "head_count",
        displayName: "Head Count",
        variableType: "number",
        isDefault: false
      })
    }).pipe(inAccount())
  )

  it.effect("concurrent callers that create the same name automatically all succeed, and make one definition", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      const set = business.set({ variables: { seats: 5 }, autoCreateVariables: true })
      yield* Effect.all(
        Array.from({ length: 10 }, () => set),
        { concurrency: "unbounded" }
      )
      const made = yield* Effect.flatMap(ContextVariables, (variables) => variables.list("business"))
      expect(made.filter((variable) => variable.name === "seats")).toHaveLength(1)
    }).pipe(inAccount())
  )

  it.effect("set tries again when its insert of a definition fails because another caller has inserted it", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const store = yield* ContextVariableStore
      let raced = false
      const racing = ContextVariableStore.of({
        ...store,
        insert: (variable) => {
          if (raced) return store.insert(variable)
          raced = true
          return Effect.fail(new StorageError({ reason: "duplicate", operation: "insert", cause: "name" }))
        }
      })
      const layer = Layer.fresh(BusinessContext.layer).pipe(Layer.provide(Layer.succeed(ContextVariableStore, racing)))
      const values = yield* Effect.gen(function* () {
        const business = yield* BusinessContext
        yield* business.set({ variables: { seats: 5 }, autoCreateVariables: true })
        return yield* business.get
      }).pipe(as(account), Effect.provide(layer))
      expect(values).toEqual({ seats: 5 })
      expect(raced).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("deleting a definition, or changing its type, changes no stored value (C-2.4-6, D-VAR-5)", () =>
    Effect.gen(function* () {
      const business = yield* BusinessContext
      const variables = yield* ContextVariables
      const definitions = fc.uniqueArray(
        arbitrary
          .contextVariable({ contextType: "business" })
          .chain((variable) =>
            fc.tuple(fc.constant(variable), arbitrary.acceptedValue(variable.variableType, variable))
          ),
        { selector: ([variable]) => variable.name, maxLength: 4 }
      )
      yield* Property.forAll(definitions, (definitions) =>
        Effect.gen(function* () {
          const made = yield* Effect.forEach(definitions, ([variable]) => variables.create(variable))
          const values = Object.fromEntries(definitions.map(([{ name }, { value }]) => [name, value]))
          yield* business.set({ variables: values })
          const before = yield* business.get
          yield* Effect.forEach(made, ({ id }) => variables.patch(id, { variableType: "boolean" }))
          expect(yield* business.get).toEqual(before)
          yield* Effect.forEach(made, ({ id }) => variables.delete(id))
          expect(yield* business.get).toEqual(before)
          expect(before).toEqual(Object.fromEntries(definitions.map(([{ name }, { canonical }]) => [name, canonical])))
          yield* business.set({ variables: Object.fromEntries(made.map(({ name }) => [name, null])) })
          expect(yield* business.get).toEqual({})
        })
      )
    }).pipe(inAccount())
  )
})

/** Runs a test on an empty storage with a new account as caller. */
function inAccount() {
  return <A, E>(
    test: Effect.Effect<
      A,
      E,
      ContextVariables | BusinessContext | ContextVariableStore | TeamStore | Accounts | Principal
    >
  ) => Effect.flatMap(newAccount(), (account) => test.pipe(as(account))).pipe(Effect.provide(services))
}
