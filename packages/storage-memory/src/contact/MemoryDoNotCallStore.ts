import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import { changed, Database } from "../storage/Database.ts"
import * as References from "../storage/References.ts"
import * as Table from "../storage/Table.ts"
import * as DoNotCallList from "./DoNotCallList.ts"

/** The `DoNotCallStore` in memory. */
export const layer: Layer.Layer<DoNotCallStore, never, Database> = Layer.effect(
  DoNotCallStore,
  Effect.map(Database, (database) =>
    DoNotCallStore.of({
      add: (accountId, numbers) =>
        database.modify((state) => {
          const list = DoNotCallList.listOf(state, accountId)
          const added = [...new Set(numbers)].filter((number) => !HashSet.has(list, number)).toSorted()
          return changed(added, DoNotCallList.add(state, accountId, added))
        }),
      remove: (accountId, numbers) =>
        database.modify((state) => {
          const list = DoNotCallList.listOf(state, accountId)
          const removed = [...new Set(numbers)].filter((number) => HashSet.has(list, number)).toSorted()
          return changed(removed, DoNotCallList.remove(state, accountId, removed))
        }),
      list: (accountId, { phoneNumber }, page) =>
        database.read((state) => {
          const list = DoNotCallList.listOf(state, accountId)
          if (phoneNumber === undefined) return Page.slice([...list].toSorted(), page)
          return Page.slice(HashSet.has(list, phoneNumber) ? [phoneNumber] : [], page)
        }),
      // Transactions run one after the other, so no other transaction can add a number before this one ends.
      isBlocked: (scope, phoneNumber) =>
        database.read(
          (state) =>
            HashSet.has(DoNotCallList.listOf(state, scope.accountId), phoneNumber) ||
            Table.where(
              state.contacts,
              (contact) =>
                References.inScope(scope, contact) &&
                contact.phoneNumbers.some((entry) => entry.phoneNumber === phoneNumber) &&
                HashSet.has(DoNotCallList.listOf(state, contact.accountId), phoneNumber)
            ).length > 0
        )
    })
  )
)
