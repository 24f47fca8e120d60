import * as Schema from "effect/Schema"
import { Money } from "../values/Money.ts"
import * as Page from "../values/Page.ts"
import * as Text from "../values/Text.ts"

/** The text of a search for accounts. */
export const AccountSearch = Text.between(1, 200)

/** Selects a page of accounts. */
export const AccountQuery = Schema.Struct({
  /** Only the account with this id, and accounts whose name contains the text. */
  search: Schema.optional(AccountSearch),
  page: Schema.optional(Page.PageNumber),
  limit: Schema.optional(Page.PageLimit)
})

/** Selects a page of accounts. */
export type AccountQuery = typeof AccountQuery.Type

/** The deposit of the operator to an account: an amount above zero. */
export const OperatorDeposit = Schema.Struct({
  amount: Money.check(Schema.isGreaterThan(0, { expected: "an amount above zero" }))
})

/** The deposit of the operator to an account. */
export type OperatorDeposit = typeof OperatorDeposit.Type
