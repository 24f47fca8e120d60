import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { RetryTasks } from "../outbox/DeadLetteredTasks.ts"
import { Money } from "../values/Money.ts"
import * as Page from "../values/Page.ts"
import * as Text from "../values/Text.ts"

/** The text of a search for accounts. */
export const AccountSearch = Text.between(1, 200)

/** Selects a page of accounts. */
export const AccountQuery = Schema.Struct({
  /** Only the account with this id, and accounts whose name contains the text. */
  search: Schema.optional(AccountSearch),
  ...Page.PageQuery.fields
})

/** Selects a page of accounts. */
export type AccountQuery = typeof AccountQuery.Type

/** Selects the tasks of all accounts that the operator retries. An absent field selects every task. */
export const RetryTasksOfAccounts = Schema.Struct({ accountId: Schema.optionalKey(AccountId), ...RetryTasks.fields })

/** Selects the tasks of all accounts that the operator retries. */
export type RetryTasksOfAccounts = typeof RetryTasksOfAccounts.Type

/** The deposit of the operator to an account: an amount above zero. */
export const OperatorDeposit = Schema.Struct({
  amount: Money.check(Schema.isGreaterThan(0, { expected: "an amount above zero" }))
})

/** The deposit of the operator to an account. */
export type OperatorDeposit = typeof OperatorDeposit.Type
