import { VariableId } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ContextVariableStore`. */
export const contextVariableStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: ContextVariableStore`, (it) => {
    it.effect("findOwn returns a new definition with every field as inserted", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const account = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        for (const given of [
          Samples.newVariable(account.id, "plain"),
          Samples.newVariable(account.id, "size", {
            teamId: team.id,
            displayName: "Größe",
            description: "",
            variableType: "select",
            selectOptions: ["b", "a", "", "日本", "a,b"],
            contextType: "business",
            isDefault: true
          })
        ]) {
          const variable = yield* variables.insert(given)
          expect(variable).toEqual({ ...given, id: variable.id })
          expect(yield* variables.findOwn(account.id, variable.id)).toEqual(Option.some(variable))
        }
      })
    )

    it.effect("insert fails with duplicate only for a name that exists in the same account and context type", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* variables.insert(Samples.newVariable(account.id, "industry"))
        const again = Samples.newVariable(account.id, "industry", { variableType: "number" })
        expect((yield* variables.insert(again).pipe(Effect.flip)).reason).toBe("duplicate")
        yield* variables.insert(Samples.newVariable(account.id, "industry", { contextType: "business" }))
        yield* variables.insert(Samples.newVariable(other.id, "industry"))
      })
    )

    it.effect("only one of several concurrent inserts with the same name succeeds", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const account = yield* Samples.makeAccount()
        const insert = variables.insert(Samples.newVariable(account.id, "raced")).pipe(
          Effect.as(true),
          Effect.catchTag("StorageError", (error) => Effect.succeed(error.reason !== "duplicate"))
        )
        const succeeded = yield* Effect.all(
          Array.from({ length: 8 }, () => insert),
          { concurrency: "unbounded" }
        )
        expect(succeeded.filter((isInserted) => isInserted)).toHaveLength(1)
      })
    )

    it.effect(
      "list returns own definitions and those of the teams, by id, of one context type or of both, and findOwn only own ones",
      () =>
        Effect.gen(function* () {
          const variables = yield* ContextVariableStore
          const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          const own = yield* variables.insert(Samples.newVariable(mine.id, "own"))
          const shared = yield* variables.insert(
            Samples.newVariable(other.id, "shared", { teamId: team.id, contextType: "business" })
          )
          const foreign = yield* variables.insert(Samples.newVariable(other.id, "foreign"))
          const scope = { accountId: mine.id, teamIds: [team.id] }
          expect(yield* variables.list(scope, Option.none())).toEqual([own, shared])
          expect(yield* variables.list(scope, Option.some("contact"))).toEqual([own])
          expect(yield* variables.list(scope, Option.some("business"))).toEqual([shared])
          expect(yield* variables.findOwn(mine.id, shared.id)).toEqual(Option.none())
          expect(yield* variables.findOwn(mine.id, foreign.id)).toEqual(Option.none())
          expect(yield* variables.findOwn(mine.id, VariableId.make(999_999_999_999))).toEqual(Option.none())
        })
    )

    it.effect(
      "listNamed returns own definitions and those of the teams that have one of the names, by id, of one context type",
      () =>
        Effect.gen(function* () {
          const variables = yield* ContextVariableStore
          const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          const own = yield* variables.insert(Samples.newVariable(mine.id, "level"))
          yield* variables.insert(Samples.newVariable(mine.id, "unnamed"))
          yield* variables.insert(Samples.newVariable(mine.id, "seats", { contextType: "business" }))
          const shared = yield* variables.insert(Samples.newVariable(other.id, "level", { teamId: team.id }))
          yield* variables.insert(Samples.newVariable(other.id, "seats"))
          const names = ["level", "seats", "No name", "\u0000", "__proto__"]
          const inTeam = { accountId: mine.id, teamIds: [team.id] }
          expect(yield* variables.listNamed(inTeam, "contact", names)).toEqual([own, shared])
          expect(yield* variables.listNamed(Samples.scopeOf(mine), "contact", names)).toEqual([own])
          expect(yield* variables.listNamed(inTeam, "contact", [])).toEqual([])
        })
    )

    it.effect("update replaces only display name, description, type and options", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const variable = yield* variables.insert(Samples.newVariable(account.id, "kept"))
        const next = {
          ...variable,
          displayName: "New",
          description: "text",
          variableType: "select" as const,
          selectOptions: ["x"]
        }
        const forged = { name: "forged", accountId: other.id, contextType: "business" as const, isDefault: true }
        yield* variables.update({ ...next, ...forged })
        expect(yield* variables.findOwn(account.id, variable.id)).toEqual(Option.some(next))
      })
    )

    it.effect("delete removes a definition, and its name can be used again", () =>
      Effect.gen(function* () {
        const variables = yield* ContextVariableStore
        const account = yield* Samples.makeAccount()
        const variable = yield* variables.insert(Samples.newVariable(account.id, "short_lived"))
        const remaining = yield* variables.insert(Samples.newVariable(account.id, "kept"))
        yield* variables.delete(variable.id)
        expect(yield* variables.list(Samples.scopeOf(account), Option.none())).toEqual([remaining])
        yield* variables.insert(Samples.newVariable(account.id, "short_lived"))
      })
    )
  })
}
