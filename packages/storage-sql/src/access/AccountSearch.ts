import { maxSearched, type AccountStore } from "@frontdesk/core/access/AccountStore"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import * as Money from "@frontdesk/core/values/Money"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { type Bindings, makeBindings } from "../storage/WriteStatements.ts"
import { AccountRow, select } from "./AccountRow.ts"

const CountRow = Schema.Struct({ ...Column.Count.fields, isCapped: Column.Flag })

const FoundRow = Schema.Struct({
  ...AccountRow.fields,
  deposits: Money.Money,
  charges: Money.Money,
  reservations: Money.Money
})

/** The newest accounts, which a search examines. The bound of the id lets SQLite read only these rows (D-STO-9). */
const newest = `SELECT id, name FROM account WHERE id > 0 ORDER BY id DESC`

/** Returns the function that reads a page of the operator's list of accounts. */
export const make = (database: Database["Service"]): AccountStore["Service"]["search"] => {
  const { dialect } = database
  const counted = database.one("AccountStore.search", CountRow)
  const listed = database.readable("AccountStore.search", FoundRow)
  const selectFound = select(dialect, ["deposits", "charges", "holds AS reservations"])

  /** Returns the `FROM` of the accounts that a search finds, by id. */
  const foundFrom = (bindings: Bindings, text: string | null): string => {
    const page = `(${newest} LIMIT ${maxSearched}) AS page`
    if (text === null) return `FROM ${page}`
    const named = `FROM ${page} WHERE ${dialect.occurs("lower(name)", `lower(${bindings.add(text)})`)}`
    const id = DatabaseId.parse(text)
    return id === undefined
      ? named
      : `FROM (SELECT id ${named} UNION SELECT id FROM account WHERE id = ${bindings.add(id)}) AS page`
  }

  return Effect.fnUntraced(function* (text, page) {
    const bindings = makeBindings()
    const found = foundFrom(bindings, text)
    const { count, isCapped } = yield* counted(
      `SELECT count(*) AS count, EXISTS (${newest} LIMIT 1 OFFSET ${maxSearched}) AS is_capped ${found}`,
      bindings.values
    )
    const offset = Page.offset(page)
    const rows =
      offset < count
        ? yield* listed(
            `${selectFound} WHERE id IN (SELECT id ${found}) ORDER BY id DESC LIMIT ${page.limit}
              OFFSET ?${bindings.values.length + 1}`,
            [...bindings.values, offset]
          )
        : []
    const items = rows.map(({ charges, deposits, reservations, ...account }) => ({
      account,
      funds: { charges, deposits, reservations }
    }))
    return { items, count, isCapped, page: page.page, limit: page.limit }
  })
}
