import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import type { ContextVariable } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { acceptingDuplicates, mutantsOf, rememberOwners, reversed, withoutLock } from "./Mutant.ts"

/** Mutants of `ContextVariableStore`. */
export const contextVariableStore = mutantsOf(ContextVariableStore, {
  "insert does not store the options": (store) => ({
    insert: (variable) =>
      Effect.map(store.insert({ ...variable, selectOptions: null }), (row) => ({
        ...row,
        selectOptions: variable.selectOptions
      }))
  }),
  "insert sorts the options": (store) => ({
    insert: (variable) => store.insert({ ...variable, selectOptions: variable.selectOptions?.toSorted() ?? null })
  }),
  "insert accepts a name that exists": (store) => ({
    insert: acceptingDuplicates(store.insert, (variable) => ({ ...variable, name: `${variable.name}_` }))
  }),
  "insert refuses a name that exists in the other context type": (store) => ({
    insert: (variable) =>
      Effect.andThen(
        store.insert({ ...variable, contextType: variable.contextType === "contact" ? "business" : "contact" }),
        store.insert(variable)
      )
  }),
  "list leaves out the definitions of the teams": (store) => ({
    list: (scope, contextType) => store.list({ ...scope, teamIds: [] }, contextType)
  }),
  "list ignores the context type": (store) => ({ list: (scope) => store.list(scope, Option.none()) }),
  "list returns the newest definition first": (store) => ({
    list: (scope, contextType) => reversed(store.list(scope, contextType))
  }),
  "listNamed ignores the names": (store) => ({
    listNamed: (scope, contextType) => store.list(scope, Option.some(contextType))
  }),
  "listNamed ignores the context type": (store) => ({
    listNamed: (scope, _contextType, names) =>
      Effect.map(store.list(scope, Option.none()), (all) => all.filter(({ name }) => names.includes(name)))
  }),
  "listNamed leaves out the definitions of the teams": (store) => ({
    listNamed: (scope, contextType, names) => store.listNamed({ ...scope, teamIds: [] }, contextType, names)
  }),
  "listNamed returns the newest definition first": (store) => ({
    listNamed: (scope, contextType, names) => reversed(store.listNamed(scope, contextType, names))
  }),
  "findOwn ignores the account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, findOwn: (accountId, id) => store.findOwn(ownerOf(id, accountId), id) }
  },
  "findOwn does not lock the definition": (store) => ({ findOwn: withoutLock(store.findOwn) }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update replaces the name": (store) => {
    const names = new Map<number, string>()
    const named = (variable: ContextVariable) => ({ ...variable, name: names.get(variable.id) ?? variable.name })
    return {
      update: (variable) =>
        Effect.andThen(
          Effect.sync(() => names.set(variable.id, variable.name)),
          store.update(variable)
        ),
      findOwn: (accountId, id) => Effect.map(store.findOwn(accountId, id), Option.map(named))
    }
  },
  "delete has no effect": () => ({ delete: () => Effect.void })
})

/** Mutants of `BusinessContextStore`. */
export const businessContextStore = mutantsOf(BusinessContextStore, {
  "values returns the values of every account": (store) => {
    let last: Parameters<typeof store.write>[0] | undefined
    return {
      write: (accountId, change) => {
        last = accountId
        return store.write(accountId, change)
      },
      values: (accountId) => store.values(last ?? accountId)
    }
  },
  "values is in the order of writing": (store) => ({
    values: (accountId) =>
      Effect.map(store.values(accountId), (values) => Object.fromEntries(Object.entries(values).toReversed()))
  }),
  "values returns texts": (store) => ({
    values: (accountId) =>
      Effect.map(store.values(accountId), (values) =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
      )
  }),
  "write removes the names that it does not set": (store) => ({
    write: (accountId, { remove, set }) =>
      Effect.flatMap(store.values(accountId), (values) => {
        const others = Object.keys(values).filter((name) => !(name in set))
        return store.write(accountId, { set, remove: [...remove, ...others] })
      })
  }),
  "write does not remove": (store) => ({
    write: (accountId, { set }) => store.write(accountId, { set, remove: [] })
  }),
  "write does not replace a value": (store) => ({
    write: (accountId, { remove, set }) =>
      Effect.flatMap(store.values(accountId), (values) =>
        store.write(accountId, {
          set: Object.fromEntries(Object.entries(set).filter(([name]) => !(name in values))),
          remove
        })
      )
  }),
  "write replaces the whole context": (store) => ({
    write: (accountId, change) =>
      Effect.gen(function* () {
        const values = yield* store.values(accountId)
        yield* Effect.yieldNow
        const next = { ...values, ...change.set }
        const removed = Object.keys(yield* store.values(accountId)).filter((name) => !(name in next))
        yield* store.write(accountId, { set: next, remove: [...change.remove, ...removed] })
      })
  })
})
