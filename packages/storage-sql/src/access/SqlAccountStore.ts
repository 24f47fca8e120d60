import { type Account, AccountId, type Funds } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as FundMovement from "@frontdesk/core/access/FundMovement"
import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"
import * as LockedRow from "../storage/LockedRow.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import { AccountRow, columns, select } from "./AccountRow.ts"
import * as AccountSearch from "./AccountSearch.ts"
import * as MovementStatement from "./MovementStatement.ts"

const Inserted = Schema.Struct({ id: AccountId })

const FundsRow = Schema.Struct({ deposits: Money.Money, charges: Money.Money, reservations: Money.Money })

const BalanceRow = Schema.Struct({ balance: Money.Money })

const noFunds: Funds = { deposits: Money.zero, charges: Money.zero, reservations: Money.zero }

/** The `AccountStore` in a SQL database. */
export const layer: Layer.Layer<AccountStore, never, Database> = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database
    const selectAccount = select(dialect)

    const insertTeams = (operation: string) => {
      const run = database.run(operation)
      const text = `INSERT INTO account_team (account_id, position, team_id)
        SELECT CAST(?1 AS bigint), record.position, record.team_id
        FROM ${dialect.records("record", "?2", { position: "integer", team_id: "integer" })}`
      return (accountId: AccountId, teamIds: Account["teamIds"]) =>
        teamIds.length === 0
          ? Effect.void
          : run(text, [accountId, JSON.stringify(teamIds.map((team_id, position) => ({ position, team_id })))])
    }

    const inserted = database.one("AccountStore.insert", Inserted)
    const insert = WriteStatements.inserter("account", " RETURNING id")
    const insertedTeams = insertTeams("AccountStore.insert")
    const updated = database.run("AccountStore.update")
    const update = WriteStatements.updater("account")
    const updatedTeams = insertTeams("AccountStore.update")
    const found = database.lookUp("AccountStore.find", AccountRow)
    const locked = LockedRow.first(database, "AccountStore.findForUpdate", {
      row: AccountRow,
      table: "account",
      select: selectAccount
    })
    const all = database.readable("AccountStore.list", AccountRow)
    const clients = database.all("AccountStore.clientsOf", Inserted)
    const funds = database.first("AccountStore.funds", FundsRow)
    const lockedFunds = database.first("AccountStore.lockFunds", FundsRow)
    const changed = database.first("AccountStore.changeFunds", BalanceRow)
    const recorded = MovementStatement.make(database, "AccountStore.changeFunds")
    const selectFunds = "SELECT deposits, charges, holds AS reservations FROM account WHERE id = ?1"

    return AccountStore.of({
      insert: Effect.fnUntraced(function* (account) {
        const { id } = yield* inserted(...insert({ ...columns(account), created_at: dialect.time(account.createdAt) }))
        yield* insertedTeams(id, account.teamIds)
        return { ...account, id }
      }, database.atomically("AccountStore.insert")),
      update: Effect.fnUntraced(function* (account) {
        yield* updated(...update({ ...columns(account), created_at: dialect.time(account.createdAt) }, account.id))
        yield* updated("DELETE FROM account_team WHERE account_id = ?1", [account.id])
        yield* updatedTeams(account.id, account.teamIds)
      }, database.atomically("AccountStore.update")),
      find: (id) => found(`${selectAccount} WHERE id = ?1`, [id]),
      findForUpdate: (id) => locked("id = ?1", [id]),
      list: (after, limit) => all(`${selectAccount} WHERE id > ?1 ORDER BY id LIMIT ${limit}`, [after ?? 0]),
      search: AccountSearch.make(database),
      clientsOf: (partnerId) =>
        Effect.map(
          clients("SELECT id FROM account WHERE partner_id = ?1 AND role = 'client' ORDER BY id", [partnerId]),
          (rows) => rows.map((row) => row.id)
        ),
      funds: (id) =>
        Effect.map(
          funds(selectFunds, [id]),
          Option.getOrElse(() => noFunds)
        ),
      lockFunds: (id) =>
        Effect.map(
          lockedFunds(`${selectFunds}${dialect.forUpdate("account")}`, [id]),
          Option.getOrElse(() => noFunds)
        ),
      changeFunds: Effect.fnUntraced(function* (accountId, change, cause) {
        const { charges, deposits, reservations } = FundMovement.sumsOf(change)
        // One statement checks and spends the money. Otherwise two concurrent changes could both see, and both spend, the
        // same money.
        const row = yield* changed(
          `UPDATE account SET deposits = deposits + ?2, charges = charges + ?3, holds = holds + ?4
            WHERE id = ?1 AND deposits - charges - holds + ?5 >= 0 RETURNING deposits - charges - holds AS balance`,
          [
            accountId,
            BigInt(deposits),
            BigInt(charges),
            BigInt(reservations),
            BigInt(deposits - charges - reservations)
          ]
        )
        const movement = FundMovement.ofChange(change)
        if (Option.isSome(row) && movement !== null) {
          yield* recorded({ ...cause, ...movement, accountId, balanceAfter: row.value.balance })
        }
        return Option.isSome(row)
      }, database.inTransaction("AccountStore.changeFunds"))
    })
  })
)
