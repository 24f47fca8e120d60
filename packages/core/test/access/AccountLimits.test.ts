import { describe, expect, it } from "@effect/vitest"
import { AccountLimits, type Limits } from "@frontdesk/core/access/AccountLimits"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import type { CreateVariable } from "@frontdesk/core/variable/VariableInput"
import * as Page from "@frontdesk/core/values/Page"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { as, newAccount } from "../contact/caller.ts"

const limits: Limits = {
  apiKeys: 2,
  calendarEvents: 2,
  contacts: 2,
  variables: 2,
  variableBytes: 2_000,
  webhooks: 2,
  webhookBytes: 2_000,
  agents: 2,
  members: 2,
  signInLinks: 2
}

const services = Layer.mergeAll(Accounts.layer, BusinessContext.layer, Contacts.layer, ContextVariables.layer).pipe(
  Layer.provide(Layer.succeed(AccountLimits, limits)),
  Layer.provideMerge(MemoryStorage.layer)
)

const definition = (name: string, selectOptions?: ReadonlyArray<string>): CreateVariable => ({
  name,
  displayName: name,
  contextType: "business",
  ...(selectOptions === undefined ? { variableType: "text" } : { variableType: "select", selectOptions })
})

/** Runs a test with two accounts. */
const inAccounts = <A, E>(
  test: (
    one: ReturnType<typeof as>,
    other: ReturnType<typeof as>
  ) => Effect.Effect<A, E, Accounts | BusinessContext | Contacts | ContextVariables>
) =>
  Effect.gen(function* () {
    return yield* test(as(yield* newAccount()), as(yield* newAccount()))
  }).pipe(Effect.provide(services))

describe("AccountLimits", () => {
  it.effect(
    "a contact beyond the limit of its account is refused until another contact of the account is deleted",
    () =>
      inAccounts((one, other) =>
        Effect.gen(function* () {
          const contacts = yield* Contacts
          const { id } = yield* one(contacts.create({}))
          yield* one(contacts.create({}))
          expect(yield* Effect.flip(one(contacts.create({})))).toMatchObject({
            _tag: "LimitReached",
            resource: "contacts",
            limit: 2
          })
          expect((yield* one(contacts.list({}, Page.request({})))).count).toBe(2)
          yield* other(contacts.create({}))
          yield* one(contacts.delete(id))
          yield* one(contacts.create({}))
        })
      )
  )

  it.effect("default variable definitions do not count, and created and automatically created ones do (D-VAR-16)", () =>
    inAccounts((one) =>
      Effect.gen(function* () {
        const [variables, business] = [yield* ContextVariables, yield* BusinessContext]
        yield* one(variables.create(definition("a")))
        yield* one(business.set({ variables: { b: 1 }, autoCreateVariables: true }))
        expect(yield* Effect.flip(one(variables.create(definition("c"))))).toMatchObject({ resource: "variables" })
        const refused = yield* Effect.flip(one(business.set({ variables: { c: 1 }, autoCreateVariables: true })))
        expect(refused).toMatchObject({ _tag: "LimitReached", resource: "variables" })
        yield* one(business.set({ variables: { b: 2 }, autoCreateVariables: true }))
      })
    )
  )

  it.effect("a definition that exceeds the limit of bytes is refused, and a smaller one is accepted", () =>
    inAccounts((one) =>
      Effect.gen(function* () {
        const variables = yield* ContextVariables
        const options = Array.from({ length: 15 }, (_, index) => `${index}`.padEnd(100, "x"))
        const { id } = yield* one(variables.create(definition("a", options)))
        const larger = [...options, ...options.map((option) => `${option}y`)]
        expect(yield* Effect.flip(one(variables.patch(id, { selectOptions: larger })))).toMatchObject({
          _tag: "LimitReached",
          resource: "variableBytes"
        })
        expect(yield* Effect.flip(one(variables.create(definition("b", options))))).toMatchObject({
          resource: "variableBytes"
        })
        yield* one(variables.patch(id, { selectOptions: ["short"] }))
        yield* one(variables.create(definition("b", options)))
      })
    )
  )

  it.effect("the definitions of a team have the limits of one account, whichever account of the team owns them", () =>
    Effect.gen(function* () {
      const team = yield* makeTeam()
      const [one, other, alone] = [
        as(yield* newAccount({ teamIds: [team.id] })),
        as(yield* newAccount({ teamIds: [team.id] })),
        as(yield* newAccount())
      ]
      const variables = yield* ContextVariables
      const options = Array.from({ length: 15 }, (_, index) => `${index}`.padEnd(100, "x"))
      const large = { ...definition("a", options), teamId: team.id }
      yield* one(variables.create(large))
      const { id } = yield* other(variables.create({ ...definition("b"), teamId: team.id }))
      for (const change of [
        other(variables.patch(id, { variableType: "select", selectOptions: options })),
        other(variables.put(id, { variableType: "select", selectOptions: options }))
      ]) {
        expect(yield* Effect.flip(change)).toMatchObject({ _tag: "LimitReached", resource: "teamVariableBytes" })
      }
      const third = variables.create({ ...definition("c"), teamId: team.id })
      expect(yield* Effect.flip(other(third))).toMatchObject({ _tag: "LimitReached", resource: "teamVariables" })
      yield* alone(variables.create(definition("c", options)))
    }).pipe(Effect.provide(services))
  )
})
