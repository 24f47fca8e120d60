import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/account/Accounts"
import type { Principal } from "@frontdesk/core/access/Principal"
import { TeamId } from "@frontdesk/core/access/Team"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { VariableId } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import type { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import type { CreateVariable } from "@frontdesk/core/variable/VariableInput"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { as, newAccount } from "../contact/caller.ts"

const services = Layer.mergeAll(ContextVariables.layer, BusinessContext.layer, Accounts.layer).pipe(
  Layer.provideMerge(MemoryStorage.layer)
)

const tier: CreateVariable = {
  name: "tier",
  displayName: "Tier",
  variableType: "select",
  contextType: "business",
  selectOptions: ["basic", "gold"]
}

describe("ContextVariables", () => {
  it.effect("a definition can be created, listed, changed and deleted", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      const made = yield* variables.create(tier)
      expect((yield* variables.list("business")).at(-1)).toEqual(made)
      expect(yield* variables.list("contact")).not.toContainEqual(made)
      const put = yield* variables.put(made.id, { displayName: "Level", variableType: "text" })
      expect(put).toEqual({ ...made, displayName: "Level", variableType: "text", selectOptions: null })
      const patched = yield* variables.patch(made.id, { description: "What they pay for" })
      expect((yield* variables.list()).at(-1)).toEqual(patched)
      yield* variables.delete(made.id)
      expect(yield* Effect.flip(variables.delete(made.id))).toMatchObject({
        _tag: "VariableNotFound",
        variableId: made.id
      })
    }).pipe(inAccount())
  )

  it.effect("a name is unique within account and context type (C-2.4-2)", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      yield* variables.create(tier)
      expect(yield* Effect.flip(variables.create(tier))).toMatchObject({
        _tag: "DuplicateVariable",
        name: "tier",
        contextType: "business"
      })
      yield* variables.create({ ...tier, contextType: "contact" })
      yield* variables.create(tier).pipe(as(yield* newAccount()))
    }).pipe(inAccount())
  )

  it.effect("a default variable cannot be changed or deleted (C-2.4-4)", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      const before = yield* variables.list()
      for (const { id, name } of before) {
        expect(yield* Effect.flip(variables.put(id, {}))).toMatchObject({ _tag: "UpdateNotAllowed", name })
        expect(yield* Effect.flip(variables.patch(id, {}))).toMatchObject({ _tag: "UpdateNotAllowed", name })
        expect(yield* Effect.flip(variables.delete(id))).toMatchObject({ _tag: "DeleteNotAllowed", name })
      }
      expect(before).toHaveLength(19)
      expect(yield* variables.list()).toEqual(before)
    }).pipe(inAccount())
  )

  it.effect("a team mate can list a definition, and cannot change or delete it (C-2.4-5, C-4.4-3)", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
      const [owner, colleague] = [yield* newAccount({ teamIds: [team.id] }), yield* newAccount({ teamIds: [team.id] })]
      const shown = yield* variables.create({ ...tier, teamId: team.id }).pipe(as(owner))
      const hidden = yield* variables.create({ ...tier, name: "hidden" }).pipe(as(owner))
      const seen = yield* variables.list().pipe(as(colleague))
      expect(seen).toContainEqual(shown)
      expect(seen).not.toContainEqual(hidden)
      const errors = Effect.all([
        Effect.flip(variables.put(shown.id, {})),
        Effect.flip(variables.patch(shown.id, {})),
        Effect.flip(variables.delete(shown.id))
      ])
      for (const error of yield* errors.pipe(as(colleague))) {
        expect(error).toMatchObject({ _tag: "VariableNotFound", variableId: shown.id })
      }
    }).pipe(inAccount())
  )

  it.effect("create fails for a team that the caller is not in (D-TEAM-2)", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      const team = yield* Effect.flatMap(TeamStore, (teams) => teams.insert("Sales"))
      expect(yield* Effect.flip(variables.create({ ...tier, teamId: team.id }))).toMatchObject({
        _tag: "TeamAccessDenied"
      })
      expect(yield* Effect.flip(variables.create({ ...tier, teamId: TeamId.make(999) }))).toMatchObject({
        _tag: "TeamNotFound"
      })
    }).pipe(inAccount())
  )

  it.effect("a PATCH of an unknown id fails with VariableNotFound", () =>
    Effect.gen(function* () {
      const variables = yield* ContextVariables
      expect(yield* Effect.flip(variables.patch(VariableId.make(999), {}))).toMatchObject({ _tag: "VariableNotFound" })
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
