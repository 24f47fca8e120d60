import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Column from "../storage/Column.ts"
import * as CountedPage from "../storage/CountedPage.ts"
import { Database } from "../storage/Database.ts"
import * as LongRead from "../storage/LongRead.ts"
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
        const isAll = phoneNumber === undefined
        const params = isAll ? [accountId] : [accountId, phoneNumber]
        const found = `SELECT phone_number FROM do_not_call_number
          WHERE account_id = ?1${isAll ? "" : " AND phone_number = ?2"} ORDER BY phone_number`
        // The order makes PostgreSQL count in an index. Without it, it would read a table that is mostly of one account.
        const countUpTo = (limit: string) =>
          counted(`SELECT count(*) AS count FROM (${found}${limit}) AS counted`, params)
        return CountedPage.read(page, LongRead.count(accountId, countUpTo), (offset) => {
          const numbers = Effect.map(
            rows(`${found} LIMIT ${page.limit} OFFSET ?${params.length + 1}`, [...params, offset]),
            (all) => all.map((row) => row.phoneNumber)
          )
          return LongRead.ofRows(accountId, offset + page.limit, numbers)
        })
      },
      isBlocked: Effect.fnUntraced(function* (scope, number) {
        yield* DoNotCallNumbers.lock(database, number)
        return Option.isSome(yield* blocking(blockingText, [...OwnedRow.params(scope), number]))
      })
    })
  })
)
