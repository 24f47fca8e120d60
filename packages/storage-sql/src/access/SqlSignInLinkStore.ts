import { SignInLinkId } from "@frontdesk/core/access/Session"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import * as PersonRow from "./PersonRow.ts"

const Inserted = Schema.Struct({ id: SignInLinkId })

const LinkRow = Schema.Struct({ id: SignInLinkId, ...PersonRow.fields })

const select = `SELECT ${PersonRow.columns("sign_in_link")} ${PersonRow.from("sign_in_link")}`

/** The `SignInLinkStore` in a SQL database. */
export const layer: Layer.Layer<SignInLinkStore, never, Database> = Layer.effect(
  SignInLinkStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("SignInLinkStore.insert", Inserted)
    const insert = WriteStatements.inserter("sign_in_link", " RETURNING id")
    const found = database.first("SignInLinkStore.findByDigest", LinkRow)
    const listed = database.readable("SignInLinkStore.list", LinkRow)
    const counted = database.one("SignInLinkStore.count", Column.Count)
    const deleted = database.first("SignInLinkStore.delete", Column.Found)

    return SignInLinkStore.of({
      insert: ({ digest, ...link }) =>
        Effect.map(inserted(...insert(PersonRow.written(dialect, { ...link, digest }))), ({ id }) => ({ ...link, id })),
      findByDigest: (digest) => found(`${select} WHERE sign_in_link.digest = ?1`, [digest]),
      list: (accountId, now, limit) =>
        listed(
          `${select} WHERE sign_in_link.account_id = ?1 AND sign_in_link.expires_at > ?2
            ORDER BY sign_in_link.id LIMIT ${limit}`,
          [accountId, dialect.time(now)]
        ),
      count: (accountId, memberId, now) => {
        const params = PersonRow.paramsOf(accountId, memberId)
        return Effect.map(
          counted(
            `SELECT count(*) AS count FROM sign_in_link
              WHERE ${PersonRow.ofMember(memberId)} AND expires_at > ?${params.length + 1}`,
            [...params, dialect.time(now)]
          ),
          ({ count }) => count
        )
      },
      delete: (accountId, id) =>
        Effect.map(
          deleted("DELETE FROM sign_in_link WHERE account_id = ?1 AND id = ?2 RETURNING id", [accountId, id]),
          Option.isSome
        ),
      keepNewest: PersonRow.keepNewest(database, "SignInLinkStore.keepNewest", "sign_in_link"),
      sweep: PersonRow.sweep(database, "SignInLinkStore.sweep", "sign_in_link")
    })
  })
)
