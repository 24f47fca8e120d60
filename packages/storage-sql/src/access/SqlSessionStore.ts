import { SessionId } from "@frontdesk/core/access/Person"
import { type FoundSession, SessionStore } from "@frontdesk/core/access/SessionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import * as CountedPage from "../storage/CountedPage.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import * as AccountRow from "./AccountRow.ts"
import * as PersonRow from "./PersonRow.ts"

const Inserted = Schema.Struct({ id: SessionId })

const sessionFields = { id: SessionId, ...PersonRow.fields, lastUsedAt: Column.Time, endsAt: Column.Time }

const SessionRow = Schema.Struct(sessionFields)

const FoundRow = Schema.Struct({ ...sessionFields, ...AccountRow.joinedFields })

const columns = `${PersonRow.columns("session")}, session.last_used_at, session.ends_at`

const select = `SELECT ${columns} ${PersonRow.from("session")}`

const toFound = (row: typeof FoundRow.Type): FoundSession => ({
  session: {
    id: row.id,
    accountId: row.accountId,
    memberId: row.memberId,
    userId: row.userId,
    name: row.name,
    role: row.role,
    isOperator: row.isOperator,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    endsAt: row.endsAt
  },
  account: AccountRow.joined(row)
})

/** The `SessionStore` in a SQL database. */
export const layer: Layer.Layer<SessionStore, never, Database> = Layer.effect(
  SessionStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("SessionStore.insert", Inserted)
    const insert = WriteStatements.inserter("session", " RETURNING id")
    const byDigest = database.lookUp("SessionStore.findByDigest", FoundRow)
    const byDigestText = `SELECT ${columns}, ${AccountRow.joinedColumns(dialect)}
      ${PersonRow.from("session")} JOIN account ON account.id = session.account_id WHERE session.digest = ?1`
    const found = database.first("SessionStore.find", SessionRow)
    const counted = database.one("SessionStore.list", Column.Count)
    const listed = database.readable("SessionStore.list", SessionRow)
    const touched = database.run("SessionStore.touch")
    const deleted = database.first("SessionStore.delete", Column.Found)
    const allDeleted = database.all("SessionStore.deleteAll", Column.Found)

    return SessionStore.of({
      insert: ({ digest, ...session }) =>
        Effect.map(
          inserted(
            ...insert({
              ...PersonRow.written(dialect, { ...session, digest }),
              last_used_at: dialect.time(session.lastUsedAt),
              ends_at: dialect.time(session.endsAt)
            })
          ),
          ({ id }) => ({ ...session, id })
        ),
      findByDigest: (digest) => Effect.map(byDigest(byDigestText, [digest]), Option.map(toFound)),
      find: (accountId, id) => found(`${select} WHERE session.account_id = ?1 AND session.id = ?2`, [accountId, id]),
      list: (accountId, memberId, now, page) => {
        const open = `session.account_id = ?1 AND session.expires_at > ?2${memberId === null ? "" : " AND session.member_id = ?3"}`
        const params = [accountId, dialect.time(now), ...(memberId === null ? [] : [memberId])]
        return CountedPage.read(
          page,
          counted(`SELECT count(*) AS count FROM session WHERE ${open}`, params),
          (offset) =>
            listed(
              `${select} WHERE ${open} ORDER BY session.id DESC LIMIT ${page.limit} OFFSET ?${params.length + 1}`,
              [...params, offset]
            )
        )
      },
      touch: (accountId, id, lastUsedAt, expiresAt) =>
        touched("UPDATE session SET last_used_at = ?3, expires_at = ?4 WHERE account_id = ?1 AND id = ?2", [
          accountId,
          id,
          dialect.time(lastUsedAt),
          dialect.time(expiresAt)
        ]),
      delete: (accountId, id) =>
        Effect.map(
          deleted("DELETE FROM session WHERE account_id = ?1 AND id = ?2 RETURNING id", [accountId, id]),
          Option.isSome
        ),
      deleteAll: (accountId, memberId) =>
        Effect.map(
          allDeleted(
            `DELETE FROM session WHERE ${memberId === null ? "account_id = ?1" : PersonRow.ofMember(memberId)} RETURNING id`,
            PersonRow.paramsOf(accountId, memberId)
          ),
          (rows) => rows.length
        ),
      keepNewest: PersonRow.keepNewest(database, "SessionStore.keepNewest", "session"),
      sweep: PersonRow.sweep(database, "SessionStore.sweep", "session")
    })
  })
)
