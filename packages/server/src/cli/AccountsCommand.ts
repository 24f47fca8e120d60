import type { Account } from "@frontdesk/core/access/Account"
import { type AccountFunds, Accounts } from "@frontdesk/core/account/Accounts"
import * as Money from "@frontdesk/core/values/Money"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { movements } from "./MovementsCommand.ts"
import { statistics } from "./StatisticsCommand.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const amountOf = (money: Money.Money): number => money / Money.scale

const view = (account: Account, ref: string | undefined, funds: AccountFunds) => ({
  id: account.id,
  ref: ref ?? null,
  name: account.name,
  role: account.role,
  partner_id: account.partnerId,
  team_ids: account.teamIds,
  time_zone: account.settings.timeZone,
  price_per_minute: amountOf(account.settings.pricePerMinute),
  balance: amountOf(funds.balance),
  deposits: amountOf(funds.deposits),
  charges: amountOf(funds.charges),
  holds: amountOf(funds.reservations),
  created_at: DateTime.formatIso(account.createdAt)
})

const list = Command.make("list", { database: Parameters.databaseFlags, json: Parameters.json }, ({ database, json }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const refs = yield* OperatorServices.accountRefs
      const views = yield* Effect.forEach(yield* accounts.list, (account) =>
        Effect.map(accounts.funds(account.id), (funds) => view(account, refs.get(account.id), funds))
      )
      if (json) return yield* Output.json({ accounts: views })
      yield* Output.table(
        ["ID", "REF", "NAME", "ROLE", "TIME ZONE", "BALANCE"],
        views.map(({ id, ref, name, role, time_zone, balance }) => [
          String(id),
          ref ?? "",
          name,
          role,
          time_zone,
          String(balance)
        ])
      )
    }),
    database
  )
).pipe(Command.withDescription("List all accounts with their balance"))

const show = Command.make(
  "show",
  { account: Parameters.accountArgument, database: Parameters.databaseFlags, json: Parameters.json },
  ({ account, database, json }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const found = yield* OperatorServices.findAccount(account)
        const shown = view(found, (yield* OperatorServices.accountRefs).get(found.id), yield* accounts.funds(found.id))
        if (json) return yield* Output.json(shown)
        yield* Output.fields(
          Object.entries(shown).map(([name, value]) => [name.replaceAll("_", " "), value === null ? "" : String(value)])
        )
      }),
      database
    )
).pipe(Command.withDescription("Show one account"))

const deposit = Command.make(
  "deposit",
  {
    account: Parameters.accountArgument,
    amount: Parameters.readArgument("amount", Parameters.amount).pipe(
      Argument.withDescription("How much, in the account's currency: 25 or 0.5")
    ),
    database: Parameters.databaseFlags,
    json: Parameters.json
  },
  ({ account, amount, database, json }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id, name } = yield* OperatorServices.findAccount(account)
        const { balance } = yield* accounts.deposit(id, amount)
        if (json) return yield* Output.json({ id, balance: amountOf(balance) })
        yield* Output.line(`Account ${id} (${name}) has a balance of ${Money.format(balance)} now`)
      }),
      database
    )
).pipe(
  Command.withDescription("Add money to the balance of an account"),
  Command.withExamples([
    { command: "frontdesk accounts deposit acme 25", description: "Add 25 to what acme can spend" }
  ])
)

/** The command `frontdesk accounts`. */
export const accounts = Command.make("accounts").pipe(
  Command.withDescription("Accounts and their balance"),
  Command.withSubcommands([list, show, deposit, movements, statistics])
)
