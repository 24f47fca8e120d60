import { Account, AccountSettings } from "@frontdesk/core/access/Account"
import { TeamRef } from "@frontdesk/core/access/TeamRef"
import type { AccountDetail } from "@frontdesk/core/account/OwnAccount"
import { ShownMoney } from "@frontdesk/core/values/Money"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { balanceView } from "./FundsView.ts"

const { id, name, role } = Account.fields

const viewFields = {
  id,
  name,
  role,
  teams: Schema.Array(TeamRef),
  ...AccountSettings.fields,
  pricePerMinute: ShownMoney,
  /** What the account can spend: deposits minus charges minus reservations. */
  balance: ShownMoney,
  deposits: ShownMoney,
  charges: ShownMoney,
  /** The money that is reserved for calls that have not been settled. */
  reservations: ShownMoney,
  createdAt: Timestamp
}

/** The JSON of the caller's account. Its settings have the form of a provisioning document (D-ACC-5). */
export const AccountView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "Account" })

/** Returns the view of an account. */
export const accountView = ({
  createdAt,
  funds,
  id,
  name,
  role,
  settings,
  teams
}: AccountDetail): typeof AccountView.Type => ({
  id,
  name,
  role,
  teams,
  ...settings,
  ...balanceView(funds),
  createdAt
})

/** The JSON of the answer to an update. */
export const AccountUpdated = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "AccountUpdated"
})
