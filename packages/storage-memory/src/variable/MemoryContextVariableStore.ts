import { type ContextVariable, VariableId } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import * as References from "../storage/References.ts"
import * as Table from "../storage/Table.ts"

/** The `ContextVariableStore` in memory. */
export const layer: Layer.Layer<ContextVariableStore, never, Database> = Layer.effect(
  ContextVariableStore,
  Effect.map(Database, (database) =>
    ContextVariableStore.of({
      insert: (variable) =>
        database.modify((state) => {
          const sameName = Table.where(
            state.variables,
            (other) =>
              other.accountId === variable.accountId &&
              other.contextType === variable.contextType &&
              other.name === variable.name
          )
          if (sameName.length > 0) return duplicate("ContextVariableStore.insert", "name")
          const [inserted, variables] = Table.insert(state.variables, (id): ContextVariable => ({
            ...variable,
            id: VariableId.make(id)
          }))
          return changed(inserted, { ...state, variables })
        }),
      list: (scope, contextType) =>
        database.read((state) =>
          Table.where(
            state.variables,
            (variable) =>
              References.inScope(scope, variable) &&
              Option.match(contextType, { onNone: () => true, onSome: (type) => variable.contextType === type })
          )
        ),
      listNamed: (scope, contextType, names) =>
        database.read((state) => {
          const wanted = new Set(names)
          return Table.where(
            state.variables,
            (variable) =>
              References.inScope(scope, variable) && variable.contextType === contextType && wanted.has(variable.name)
          )
        }),
      findOwn: (accountId, id) =>
        database.read((state) =>
          Option.filter(Table.get(state.variables, id), (variable) => variable.accountId === accountId)
        ),
      update: ({ id, displayName, description, variableType, selectOptions }) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            variables: Table.update(state.variables, id, (variable) => ({
              ...variable,
              displayName,
              description,
              variableType,
              selectOptions
            }))
          })
        ),
      delete: (id) =>
        database.modify((state) => changed(undefined, { ...state, variables: Table.remove(state.variables, id) }))
    })
  )
)
