import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import { changed, Database } from "../storage/Database.ts"
import * as Refs from "../storage/Refs.ts"
import * as Table from "../storage/Table.ts"
import * as DoNotCall from "./DoNotCall.ts"

/** Do-not-call lists in memory. */
export const layer: Layer.Layer<DoNotCallStore, never, Database> = Layer.effect(
  DoNotCallStore,
  Effect.map(Database, (database) =>
    DoNotCallStore.of({
      add: (accountId, numbers) =>
        database.modify((state) => {
          const list = DoNotCall.listOf(state, accountId)
          const added = [...new Set(numbers)].filter((number) => !HashSet.has(list, number)).toSorted()
          return changed(added, DoNotCall.add(state, accountId, added))
        }),
      remove: (accountId, numbers) =>
        database.modify((state) => {
          const list = DoNotCall.listOf(state, accountId)
          const removed = [...new Set(numbers)].filter((number) => HashSet.has(list, number)).toSorted()
          return changed(removed, DoNotCall.remove(state, accountId, removed))
        }),
      list: (accountId, page) =>
        database.read((state) => Page.slice([...DoNotCall.listOf(state, accountId)].toSorted(), page)),
      // Transactions run one at a time: whoever is in one keeps all others from adding a number.
      isBlocked: (scope, phoneNumber) =>
        database.read(
          (state) =>
            HashSet.has(DoNotCall.listOf(state, scope.accountId), phoneNumber) ||
            Table.where(
              state.contacts,
              (contact) =>
                Refs.inScope(scope, contact) &&
                contact.phoneNumbers.some((entry) => entry.phoneNumber === phoneNumber) &&
                HashSet.has(DoNotCall.listOf(state, contact.accountId), phoneNumber)
            ).length > 0
        )
    })
  )
)
