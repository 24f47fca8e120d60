import type { AccountId } from "@frontdesk/core/access/Account"
import { BusinessContextStore, type BusinessValues } from "@frontdesk/core/business-context/BusinessContextStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"

const valuesOf = (state: State, accountId: AccountId): BusinessValues =>
  Option.getOrElse(HashMap.get(state.businessContexts, accountId), () => ({}))

/** The `BusinessContextStore` in memory. */
export const layer: Layer.Layer<BusinessContextStore, never, Database> = Layer.effect(
  BusinessContextStore,
  Effect.map(Database, (database) =>
    BusinessContextStore.of({
      values: (accountId) => database.read((state) => valuesOf(state, accountId)),
      write: (accountId, { set, remove }) =>
        database.modify((state) => {
          const values = Object.entries({ ...valuesOf(state, accountId), ...set })
            .filter(([name]) => !remove.includes(name))
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
          return changed(undefined, {
            ...state,
            businessContexts: HashMap.set(state.businessContexts, accountId, Object.fromEntries(values))
          })
        })
    })
  )
)
