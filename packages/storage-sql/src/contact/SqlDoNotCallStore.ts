import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Column from "../storage/Column.ts"
import * as CountedPage from "../storage/CountedPage.ts"
import { Database } from "../storage/Database.ts"
import * as OwnedRow from "../storage/OwnedRow.ts"
import * as DoNotCallNumbers from "./DoNotCallNumbers.ts"

/** The `DoNotCallStore` in a SQL database. */
export const layer: Layer.Layer<DoNotCallStore, never, Database> = Layer.effect(
  DoNotCallStore,
  Effect.map(Database, (database) => {
    const { add } = DoNotCallNumbers.make(database, "DoNotCallStore.add")
    const { remove } = DoNotCallNumbers.make(database, "DoNotCallStore.remove")
    const counted = database.one("DoNotCallStore.list", Column.Count)
    const rows = database.all("DoNotCallStore.list", DoNotCallNumbers.NumberRow)
    const blocking = database.first("DoNotCallStore.isBlocked", Column.Found)
    const blockingText = `SELECT 1 AS found FROM do_not_call_number WHERE account_id = ?1 AND phone_number = ?3
      UNION ALL
      SELECT 1 AS found FROM contact_number JOIN contact ON contact.id = contact_number.contact_id
        WHERE contact_number.phone_number = ?3 AND ${OwnedRow.inScope(database.dialect, "contact")}
          AND ${DoNotCallNumbers.isListed}
      LIMIT 1`

    return DoNotCallStore.of({
      add: (accountId, numbers) => database.atomically("DoNotCallStore.add")(add(accountId, numbers)),
      remove,
      list: (accountId, { phoneNumber }, page) => {
        const params = phoneNumber === undefined ? [accountId] : [accountId, phoneNumber]
        const from = `FROM do_not_call_number WHERE account_id = ?1${phoneNumber === undefined ? "" : " AND phone_number = ?2"}`
        return CountedPage.read(page, counted(`SELECT count(*) AS count ${from}`, params), (offset) =>
          Effect.map(
            rows(`SELECT phone_number ${from} ORDER BY phone_number LIMIT ${page.limit} OFFSET ?${params.length + 1}`, [
              ...params,
              offset
            ]),
            (found) => found.map((row) => row.phoneNumber)
          )
        )
      },
      isBlocked: Effect.fnUntraced(function* (scope, number) {
        yield* DoNotCallNumbers.lock(database, number)
        return Option.isSome(yield* blocking(blockingText, [...OwnedRow.params(scope), number]))
      })
    })
  })
)
