import { AccountId } from "@frontdesk/core/access/Account"
import type { Member } from "@frontdesk/core/access/Member"
import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { MemberId } from "@frontdesk/core/access/Person"
import * as EmailAddress from "@frontdesk/core/values/EmailAddress"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const Inserted = Schema.Struct({ id: MemberId })

const MemberRow = Schema.Struct({
  id: MemberId,
  accountId: AccountId,
  email: Schema.String,
  name: Schema.String,
  role: MemberRole,
  createdAt: Column.Time,
  lastSignInAt: Schema.NullOr(Column.Time)
})

const select = "SELECT id, account_id, email, name, role, created_at, last_sign_in_at FROM member"

const where = "account_id = ?1 AND id = ?2"

/** The `MemberStore` in a SQL database. */
export const layer: Layer.Layer<MemberStore, never, Database> = Layer.effect(
  MemberStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("MemberStore.insert", Inserted)
    const insert = WriteStatements.inserter("member", " RETURNING id")
    const found = database.first("MemberStore.find", MemberRow)
    const listed = database.readable("MemberStore.list", MemberRow)
    const byEmail = database.readable("MemberStore.listByEmail", MemberRow)
    const updated = database.run("MemberStore.update")
    const touched = database.run("MemberStore.touch")
    const begun = database.first("MemberStore.beginMail", Column.Found)
    const deleted = database.first("MemberStore.delete", Column.Found)

    return MemberStore.of({
      insert: (member) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: member.accountId,
              email: member.email,
              mailbox: EmailAddress.mailboxOf(member.email),
              name: member.name,
              role: member.role,
              created_at: dialect.time(member.createdAt)
            })
          ),
          ({ id }) => ({ ...member, id, lastSignInAt: null }) satisfies Member
        ),
      find: (accountId, id) => found(`${select} WHERE ${where}`, [accountId, id]),
      list: (accountId) => listed(`${select} WHERE account_id = ?1 ORDER BY id`, [accountId]),
      listByEmail: (email, limit) =>
        byEmail(`${select} WHERE mailbox = ?1 ORDER BY id LIMIT ${limit}`, [EmailAddress.mailboxOf(email)]),
      update: ({ accountId, id, name, role }) =>
        updated(`UPDATE member SET name = ?3, role = ?4 WHERE ${where}`, [accountId, id, name, role]),
      touch: (accountId, id, at) =>
        touched(`UPDATE member SET last_sign_in_at = ?3 WHERE ${where}`, [accountId, id, dialect.time(at)]),
      beginMail: (accountId, id, now, before) =>
        Effect.map(
          begun(
            `UPDATE member SET mailed_at = ?3 WHERE ${where} AND (mailed_at IS NULL OR mailed_at <= ?4) RETURNING id`,
            [accountId, id, dialect.time(now), dialect.time(before)]
          ),
          Option.isSome
        ),
      delete: (accountId, id) =>
        Effect.map(deleted(`DELETE FROM member WHERE ${where} RETURNING id`, [accountId, id]), Option.isSome)
    })
  })
)
