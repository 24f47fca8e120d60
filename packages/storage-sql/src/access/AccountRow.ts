import { type Account, AccountId, AccountRole, AccountSettings } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

/** The settings of an account as they are kept. */
export const Settings = Column.repeated(Schema.toCodecJson(AccountSettings))

/** A row of `account` with its teams. */
export const AccountRow = Schema.Struct({
  id: AccountId,
  name: Schema.String,
  role: AccountRole,
  partnerId: Schema.NullOr(AccountId),
  teamIds: Column.repeated(Schema.Array(TeamId)),
  settings: Settings,
  createdAt: Column.Time
})

/** The teams of an account as one column, in their order. */
export const teamIds = (dialect: Dialect): string =>
  `(SELECT ${dialect.collect(["team_id"], "position")} FROM account_team WHERE account_team.account_id = account.id)`

/** Reads every column of `AccountRow`; `WHERE` follows. */
export const select = (dialect: Dialect): string =>
  `SELECT id, name, role, partner_id, ${teamIds(dialect)} AS team_ids, settings, created_at FROM account`

const encodeSettings = Schema.encodeSync(Settings)

/** The columns that an update writes. */
export const columns = (account: Omit<Account, "id" | "createdAt">): Readonly<Record<string, unknown>> => ({
  name: account.name,
  role: account.role,
  partner_id: account.partnerId,
  settings: encodeSettings(account.settings)
})
