import { type Account, AccountId, AccountRole, AccountSettings } from "@frontdesk/core/access/Account"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { TeamId } from "@frontdesk/core/access/Team"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

const { agentContactFields, inboundContacts, inboundIdentity, language } = AccountSettings.fields

/**
 * The settings as they are stored. Accounts that servers of an older version have written lack the settings that were added
 * since. These have the default of a new account.
 */
const StoredSettings = Schema.Struct({
  ...AccountSettings.fields,
  inboundIdentity: inboundIdentity.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultSettings.inboundIdentity))),
  inboundContacts: inboundContacts.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultSettings.inboundContacts))),
  agentContactFields: agentContactFields.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaultSettings.agentContactFields))
  ),
  language: language.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultSettings.language)))
})

/** The column with the settings of an account. */
const Settings = Column.repeated(Schema.toCodecJson(StoredSettings))

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

/**
 * Returns the expression that reads the team ids of an account as one JSON array, in the order the account has them.
 */
const teamIds = (dialect: Dialect): string =>
  `(SELECT ${dialect.collect(["team_id"], "position")} FROM account_team WHERE account_team.account_id = account.id)`

/** Returns a `SELECT` of every column of {@link AccountRow} and of further ones, to be followed by `WHERE`. */
export const select = (dialect: Dialect, further: ReadonlyArray<string> = []): string => {
  const all = [
    "id",
    "name",
    "role",
    "partner_id",
    `${teamIds(dialect)} AS team_ids`,
    "settings",
    "created_at",
    ...further
  ]
  return `SELECT ${all.join(", ")} FROM account`
}

/** The columns of {@link AccountRow} in the row of another table, except for the id, which that row has as `accountId`. */
export const joinedFields = {
  accountName: AccountRow.fields.name,
  accountRole: AccountRow.fields.role,
  accountPartnerId: AccountRow.fields.partnerId,
  accountTeamIds: AccountRow.fields.teamIds,
  accountSettings: AccountRow.fields.settings,
  accountCreatedAt: AccountRow.fields.createdAt
}

/** Returns the columns of {@link joinedFields}, for a `SELECT` that joins `account`. */
export const joinedColumns = (
  dialect: Dialect
): string => `account.name AS account_name, account.role AS account_role, account.partner_id AS account_partner_id,
  ${teamIds(dialect)} AS account_team_ids, account.settings AS account_settings, account.created_at AS account_created_at`

/** Returns the account of a row with {@link joinedFields}. */
export const joined = (row: Schema.Struct.Type<typeof joinedFields> & { readonly accountId: AccountId }): Account => ({
  id: row.accountId,
  name: row.accountName,
  role: row.accountRole,
  partnerId: row.accountPartnerId,
  teamIds: row.accountTeamIds,
  settings: row.accountSettings,
  createdAt: row.accountCreatedAt
})

const encodeSettings = Schema.encodeSync(Settings)

/** Returns the columns that an insert and an update write. */
export const columns = (account: Omit<Account, "id" | "createdAt">): Readonly<Record<string, unknown>> => ({
  name: account.name,
  role: account.role,
  partner_id: account.partnerId,
  settings: encodeSettings(account.settings)
})
