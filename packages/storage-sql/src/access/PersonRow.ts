import { AccountId } from "@frontdesk/core/access/Account"
import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { MemberId } from "@frontdesk/core/access/Person"
import type { NewSession } from "@frontdesk/core/access/SessionStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import type { Columns } from "../storage/WriteStatements.ts"

/** The columns that links and sessions have. */
export const fields = {
  accountId: AccountId,
  memberId: Schema.NullOr(MemberId),
  userId: Schema.NullOr(Schema.String),
  name: Schema.String,
  role: MemberRole,
  isOperator: Column.Flag,
  createdAt: Column.Time,
  expiresAt: Column.Time
}

/** Returns the columns of {@link fields}. The name and the role of a member are those that the member has at present. */
export const columns = (
  table: string
): string => `${table}.id, ${table}.account_id, ${table}.member_id, ${table}.user_id,
  coalesce(member.name, ${table}.name) AS name, coalesce(member.role, ${table}.role) AS role,
  ${table}.is_operator, ${table}.created_at, ${table}.expires_at`

/** Returns the `FROM` of a table with the members of its rows. */
export const from = (table: string): string =>
  `FROM ${table} LEFT JOIN member ON member.account_id = ${table}.account_id AND member.id = ${table}.member_id`

/** Returns the columns that an insert writes. */
export const written = (dialect: Dialect, row: Omit<NewSession, "lastUsedAt" | "endsAt">): Columns => ({
  account_id: row.accountId,
  member_id: row.memberId,
  user_id: row.userId,
  role: row.role,
  name: row.name,
  is_operator: row.isOperator,
  digest: row.digest,
  created_at: dialect.time(row.createdAt),
  expires_at: dialect.time(row.expiresAt)
})

/** Returns the condition for the rows of a member, or of those without a member. The account is `?1`, a member `?2`. */
export const ofMember = (memberId: MemberId | null): string =>
  memberId === null ? "account_id = ?1 AND member_id IS NULL" : "account_id = ?1 AND member_id = ?2"

/** Returns the parameters of {@link ofMember}. */
export const paramsOf = (accountId: AccountId, memberId: MemberId | null): ReadonlyArray<number> =>
  memberId === null ? [accountId] : [accountId, memberId]

/**
 * Returns a function that deletes the rows of a member, or of those without a member, that expire after `now`, except
 * the newest `count` of them.
 */
export const keepNewest = (
  database: Database["Service"],
  operation: string,
  table: string
): ((
  accountId: AccountId,
  memberId: MemberId | null,
  count: number,
  now: DateTime.Utc
) => Effect.Effect<void, StorageError>) => {
  const deleted = database.run(operation)
  return (accountId, memberId, count, now) => {
    const params = paramsOf(accountId, memberId)
    return deleted(
      `DELETE FROM ${table} WHERE account_id = ?1 AND id IN (
        SELECT id FROM ${table} WHERE ${ofMember(memberId)} AND expires_at > ?${params.length + 1}
        ORDER BY id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${count}
      )`,
      [...params, database.dialect.time(now)]
    )
  }
}

/** Returns the sweep that deletes the expired rows of a table. */
export const sweep = (database: Database["Service"], operation: string, table: string): SweepStatement.Sweep =>
  SweepStatement.deletion(database, operation, {
    table,
    key: ["id"],
    where: "expires_at <= ?1",
    order: "expires_at, id",
    sized: []
  })
