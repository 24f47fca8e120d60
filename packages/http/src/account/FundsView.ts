import * as Movements from "@frontdesk/core/access/FundMovement"
import type { AccountFunds } from "@frontdesk/core/account/Accounts"
import { ShownMoney } from "@frontdesk/core/values/Money"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { callId, id, kind } = Movements.FundMovement.fields

/** The JSON of an account's sums and its balance. */
export const BalanceView = Wire.snakeCase(
  Schema.Struct({
    deposits: ShownMoney,
    charges: ShownMoney,
    reservations: ShownMoney,
    balance: ShownMoney
  })
).annotate({ identifier: "Balance" })

/** Returns the view of an account's sums and its balance. */
export const balanceView = (funds: AccountFunds): typeof BalanceView.Type => ({
  deposits: funds.deposits,
  charges: funds.charges,
  reservations: funds.reservations,
  balance: funds.balance
})

/** The JSON of a movement. */
export const MovementView = Wire.snakeCase(
  Schema.Struct({ id, kind, amount: ShownMoney, balanceAfter: ShownMoney, callId, at: Timestamp })
).annotate({ identifier: "FundMovement" })

/** Returns the view of a movement. */
export const movementView = (movement: Movements.FundMovement): typeof MovementView.Type => ({
  id: movement.id,
  kind: movement.kind,
  amount: movement.amount,
  balanceAfter: movement.balanceAfter,
  callId: movement.callId,
  at: movement.at
})
