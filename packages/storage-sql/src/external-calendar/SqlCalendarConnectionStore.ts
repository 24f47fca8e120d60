import { CalendarConnection, ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const ConnectionRow = Schema.Struct({
  ...CalendarConnection.fields,
  createdAt: Column.Time,
  updatedAt: Column.Time
})

const StoredRow = Schema.Struct({ ...ConnectionRow.fields, credentials: Schema.String })

const CredentialsRow = Schema.Struct({ ...ConnectionKey.fields, credentials: Schema.String })

const columns = "account_id, provider, calendar, created_at, updated_at"

const select = `SELECT ${columns} FROM calendar_connection`

/** The `CalendarConnectionStore` in a SQL database. */
export const layer: Layer.Layer<CalendarConnectionStore, never, Database> = Layer.effect(
  CalendarConnectionStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const put = database.one("CalendarConnectionStore.put", ConnectionRow)
    const found = database.first("CalendarConnectionStore.find", StoredRow)
    const listed = database.all("CalendarConnectionStore.list", ConnectionRow)
    const listedAll = database.readable("CalendarConnectionStore.listAll", ConnectionRow)
    const removed = database.first("CalendarConnectionStore.remove", Column.Found)
    const secrets = database.all("CalendarConnectionStore.secrets", CredentialsRow)
    const replaced = database.first("CalendarConnectionStore.replaceSecret", Column.Found)

    return CalendarConnectionStore.of({
      put: (connection, credentials) =>
        put(
          `INSERT INTO calendar_connection (${columns}, credentials) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (account_id, provider) DO UPDATE SET calendar = excluded.calendar,
              updated_at = excluded.updated_at, credentials = excluded.credentials RETURNING ${columns}`,
          [
            connection.accountId,
            connection.provider,
            connection.calendar,
            dialect.time(connection.createdAt),
            dialect.time(connection.updatedAt),
            Redacted.value(credentials)
          ]
        ),
      find: ({ accountId, provider }) =>
        Effect.map(
          found(`SELECT ${columns}, credentials FROM calendar_connection WHERE account_id = ?1 AND provider = ?2`, [
            accountId,
            provider
          ]),
          Option.map(({ credentials, ...connection }) => ({ connection, credentials: Redacted.make(credentials) }))
        ),
      list: (accountId) => listed(`${select} WHERE account_id = ?1 ORDER BY provider`, [accountId]),
      listAll: (after, limit) =>
        listedAll(`${select} WHERE (account_id, provider) > (?1, ?2) ORDER BY account_id, provider LIMIT ${limit}`, [
          after?.accountId ?? 0,
          after?.provider ?? ""
        ]),
      remove: ({ accountId, provider }) =>
        Effect.map(
          removed("DELETE FROM calendar_connection WHERE account_id = ?1 AND provider = ?2 RETURNING provider", [
            accountId,
            provider
          ]),
          Option.isSome
        ),
      secrets: (after, limit) =>
        Effect.map(
          secrets(
            `SELECT account_id, provider, credentials FROM calendar_connection
              WHERE (account_id, provider) > (?1, ?2) ORDER BY account_id, provider LIMIT ?3`,
            [after?.accountId ?? 0, after?.provider ?? "", limit]
          ),
          (rows) => rows.map(({ credentials, ...key }) => ({ ...key, stored: Redacted.make(credentials) }))
        ),
      replaceSecret: ({ accountId, provider }, before, after) =>
        Effect.map(
          replaced(
            `UPDATE calendar_connection SET credentials = ?4
              WHERE account_id = ?1 AND provider = ?2 AND credentials = ?3 RETURNING provider`,
            [accountId, provider, Redacted.value(before), Redacted.value(after)]
          ),
          Option.isSome
        )
    })
  })
)
