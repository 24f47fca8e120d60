import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
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

describe("ContextVariables and the stored values", () => {
  it.effect("deleting a definition leaves its stored value readable in the business context (C-2.4-6)", () =>
    Effect.gen(function* () {
      const [business, variables] = [yield* BusinessContext, yield* ContextVariables]
      const account = yield* newAccount()
      yield* Effect.gen(function* () {
        const seats = yield* variables.create({
          name: "seats",
          displayName: "Seats",
          variableType: "number",
          contextType: "business"
        })
        yield* business.set({ variables: { seats: "42", industry: "retail" } })
        yield* variables.delete(seats.id)
        expect(yield* variables.list("business")).not.toContainEqual(seats)
        expect(yield* business.get).toEqual({ seats: 42, industry: "retail" })
      }).pipe(as(account))
    }).pipe(Effect.provide(services))
  )

  it.effect("law: creating, updating and deleting definitions changes no stored value and no default variable", () =>
    Effect.gen(function* () {
      const [business, variables] = [yield* BusinessContext, yield* ContextVariables]
      const defaults = Effect.map(variables.list(), (all) => all.filter(({ isDefault }) => isDefault))
      yield* Property.forAll(fc.array(command(), { maxLength: 20 }), (commands) =>
        Effect.gen(function* () {
          yield* business.set({ variables: { seats: 5, plan: "gold", industry: "retail" }, autoCreateVariables: true })
          const [values, before] = [yield* business.get, yield* defaults]
          expect(before).toHaveLength(19)
          for (const { act, definition, target } of commands) {
            // The target may be a default variable. A command that fails must change nothing either.
            const all = yield* variables.list()
            const id = all[target % all.length]?.id
            if (act === "create") yield* Effect.ignore(variables.create(definition))
            else if (id !== undefined) yield* Effect.ignore(change[act](variables, id, definition))
          }
          expect(yield* business.get).toEqual(values)
          expect(yield* defaults).toEqual(before)
        }).pipe((law) => Effect.flatMap(newAccount(), (account) => law.pipe(as(account))))
      )
    }).pipe(Effect.provide(services))
  )
})

type Variables = ContextVariables["Service"]
type Definition = Parameters<Variables["create"]>[0]
type Id = Parameters<Variables["delete"]>[0]

const change = {
  put: (variables: Variables, id: Id, { displayName, variableType, selectOptions }: Definition) =>
    Effect.asVoid(variables.put(id, { displayName, variableType, selectOptions: selectOptions ?? null })),
  patch: (variables: Variables, id: Id, { variableType, selectOptions }: Definition) =>
    Effect.asVoid(variables.patch(id, { variableType, selectOptions: selectOptions ?? null })),
  delete: (variables: Variables, id: Id) => variables.delete(id)
}

const command = () =>
  fc.record({
    act: fc.constantFrom("create" as const, "put" as const, "patch" as const, "delete" as const),
    definition: arbitrary.variableCreate(),
    target: fc.nat({ max: 60 })
  })
