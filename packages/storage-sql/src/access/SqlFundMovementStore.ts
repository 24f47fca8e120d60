import { AccountId } from "@frontdesk/core/access/Account"
import { FundMovementId, maxListed, MovementKind } from "@frontdesk/core/access/FundMovement"
import { FundMovementStore, type MovementFilter } from "@frontdesk/core/access/FundMovementStore"
import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as CappedPage from "../storage/CappedPage.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import { makeBindings } from "../storage/WriteStatements.ts"

const MovementRow = Schema.Struct({
  id: FundMovementId,
  kind: MovementKind,
  amount: Money.Money,
  balanceAfter: Money.Money,
  callId: Schema.NullOr(Schema.String),
  at: Column.Time
})

const OwnerRow = Schema.Struct({ accountId: AccountId })

const FoldedRow = Schema.Struct({ id: FundMovementId, amount: Money.Money })

const newestFirst = "ORDER BY at DESC, id DESC"

/** Returns the condition for the movements of a list, with its parameters. An index has them in the order of the list. */
const listed = (dialect: Dialect, accountId: AccountId, { callId, from, kind, until }: MovementFilter) => {
  const { add, values } = makeBindings()
  const conditions = [
    `account_id = ${add(accountId)}`,
    ...(callId === undefined ? [] : [dialect.rare(`call_id = ${add(callId)}`)]),
    ...(kind === undefined ? [] : [`kind = ${add(kind)}`]),
    ...(from === undefined ? [] : [`at >= ${add(dialect.time(from))}`]),
    ...(until === undefined ? [] : [`at < ${add(dialect.time(until))}`])
  ]
  return { where: conditions.join(" AND "), values }
}

/** The `FundMovementStore` in a SQL database. */
export const layer: Layer.Layer<FundMovementStore, never, Database> = Layer.effect(
  FundMovementStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const counted = database.one("FundMovementStore.list", Column.Count)
    const rows = database.readable("FundMovementStore.list", MovementRow)
    const owner = database.first("FundMovementStore.fold", OwnerRow)
    const taken = database.all("FundMovementStore.fold", FoldedRow)
    const run = database.run("FundMovementStore.fold")

    return FundMovementStore.of({
      list: (accountId, filter, page) => {
        const { values, where } = listed(dialect, accountId, filter)
        return CappedPage.read(accountId, filter.newest ?? maxListed, page, {
          // The order makes PostgreSQL count in an index. Without it, it would read a table that is mostly of one account.
          countUpTo: (limit) =>
            counted(
              `SELECT count(*) AS count FROM (
                SELECT id FROM fund_movement WHERE ${where} ${newestFirst} LIMIT ${limit}
              ) AS counted`,
              values
            ),
          rows: (limit, offset) =>
            rows(
              // The page is found in the index alone, so that skipped rows cost no look-up.
              `SELECT id, kind, amount, balance_after, call_id, at FROM fund_movement WHERE id IN (SELECT id FROM (
                SELECT id FROM fund_movement WHERE ${where} ${newestFirst} LIMIT ${limit} OFFSET ?${values.length + 1}
              ) AS page) ${newestFirst}`,
              [...values, offset]
            )
        })
      },
      fold: Effect.fnUntraced(function* (before, limit) {
        const time = dialect.time(before)
        const oldest = yield* owner(
          "SELECT account_id FROM fund_movement WHERE kind <> 'opening' AND at < ?1 ORDER BY at, id LIMIT 1",
          [time]
        )
        if (Option.isNone(oldest)) return 0
        const { accountId } = oldest.value
        const folded = yield* taken(
          `SELECT id, amount FROM fund_movement WHERE account_id = ?1 AND at < ?2
            ORDER BY at, id LIMIT ${limit.rows + 1}${dialect.forUpdate("fund_movement")}`,
          [accountId, time]
        )
        const last = folded.at(-1)
        // Another process may have folded them while this one waited for its locks.
        if (last === undefined) return 0
        const others = folded.slice(0, -1).map(({ id }) => id)
        yield* run(`DELETE FROM fund_movement WHERE account_id = ?1 AND ${dialect.isOneOf("id", "?2")}`, [
          accountId,
          JSON.stringify(others)
        ])
        yield* run(
          "UPDATE fund_movement SET kind = 'opening', amount = ?3, call_id = NULL WHERE account_id = ?1 AND id = ?2",
          [accountId, last.id, BigInt(Money.sum(...folded.map(({ amount }) => amount)))]
        )
        return folded.length
      }, database.atomically("FundMovementStore.fold"))
    })
  })
)
