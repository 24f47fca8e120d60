import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as AccountTable from "./AccountTable.ts"
import { alignIds } from "./InstallationCell.ts"

/** Adds the members of accounts, the links with which people sign in, and their sessions. */
export const people = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  const { id, inSqlite, keys, reference } = AccountTable.of(sql)
  const keysOf = (table: string) => `${keys(table)}${reference(table, "member_id", "member")}`
  // role, name: used only when member_id is NULL. Reads otherwise take both from the member.
  const who = `account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      member_id ${types.integer},
      user_id ${types.text},
      role ${types.text} NOT NULL,
      name ${types.text} NOT NULL,
      digest ${types.text} NOT NULL,
      created_at ${types.time} NOT NULL,
      expires_at ${types.time} NOT NULL`
  const statements = [
    // mailbox: the canonical form of the address. mailed_at: when a sign-in mail was last requested.
    `CREATE TABLE member (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      email ${types.text} NOT NULL,
      mailbox ${types.text} NOT NULL,
      name ${types.text} NOT NULL,
      role ${types.text} NOT NULL,
      created_at ${types.time} NOT NULL,
      last_sign_in_at ${types.time},
      mailed_at ${types.time}${keys("member")}
    )${types.table}`,
    "CREATE UNIQUE INDEX member_account_mailbox ON member (account_id, mailbox)",
    "CREATE INDEX member_mailbox ON member (mailbox, id)",
    `CREATE TABLE sign_in_link (
      id ${id},
      ${who}${keysOf("sign_in_link")}
    )${types.table}`,
    "CREATE UNIQUE INDEX sign_in_link_digest ON sign_in_link (digest)",
    ...inSqlite("CREATE INDEX sign_in_link_account ON sign_in_link (account_id, id)"),
    // The member first, because the links of a deleted member are found by it alone.
    "CREATE INDEX sign_in_link_member ON sign_in_link (member_id, account_id, id)",
    "CREATE INDEX sign_in_link_expired ON sign_in_link (expires_at, id)",
    `CREATE TABLE session (
      id ${id},
      ${who},
      last_used_at ${types.time} NOT NULL,
      ends_at ${types.time} NOT NULL${keysOf("session")}
    )${types.table}`,
    "CREATE UNIQUE INDEX session_digest ON session (digest)",
    ...inSqlite("CREATE INDEX session_account ON session (account_id, id)"),
    "CREATE INDEX session_member ON session (member_id, account_id, id)",
    "CREATE INDEX session_expired ON session (expires_at, id)"
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
  yield* alignIds
})

/**
 * Adds whether the person of a link or a session is the operator of the installation. It is false in existing rows and in rows
 * that servers of an older version write. Neither database rewrites the table for a constant default.
 */
export const operators = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  for (const table of ["sign_in_link", "session"])
    yield* sql.unsafe(`ALTER TABLE ${table} ADD COLUMN is_operator ${types.flag} NOT NULL DEFAULT FALSE`)
})
