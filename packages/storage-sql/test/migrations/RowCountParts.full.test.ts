import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const contacts = [
  { account_id: 1, status: "new", stage: "lead" },
  { account_id: 1, status: "new", stage: "lead" },
  { account_id: 1, status: "won", stage: "lead" },
  { account_id: 2, status: "new", stage: "customer" }
]

const stored = Effect.flatMap(
  SqlClient,
  (sql) => sql`SELECT account_id, team_id, status, type, CAST(sum(total) AS bigint) AS total FROM row_count
    WHERE kind = 'contact' GROUP BY account_id, team_id, status, type HAVING sum(total) <> 0
    ORDER BY account_id, team_id, status, type`
)

const counted = Effect.flatMap(
  SqlClient,
  (sql) => sql`SELECT account_id, coalesce(team_id, 0) AS team_id, status, stage AS type, count(*) AS total FROM contact
    GROUP BY account_id, team_id, status, stage ORDER BY account_id, 2, status, stage`
)

/** Verifies that the counts equal the numbers of rows, and returns how many different counts there are. */
const verify = Effect.gen(function* () {
  const counts = yield* stored
  expect(counts).toEqual(yield* counted)
  return counts.length
})

describe.each(emptyDatabases)(
  "the migration to counts with parts of a database with rows, on %s",
  (_, emptyDatabase) => {
    it.live("the counts stay, and later inserts, updates and deletes change them (D-PG-31)", () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        const fill = Effect.forEach(contacts, (contact) =>
          Effect.flatMap(OldSchema.contactRow(contact), (row) => OldSchema.insertAll("contact", [row]))
        )
        yield* Effect.gen(function* () {
          yield* OldSchema.migrateFirst
          yield* OldSchema.insertAccounts
          yield* fill
          expect(yield* verify).toBe(3)
          expect((yield* SqlMigrations.migrate).map(([, name]) => name)).toContain("row_count_parts")
          expect(yield* verify).toBe(3)
        }).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const store = yield* ContactStore
          const account = { accountId: AccountId.make(1), teamIds: [] }
          yield* Samples.makeContact(account.accountId, { status: "new", stage: "lead" })
          expect(yield* verify).toBe(3)
          yield* sql`UPDATE contact SET status = 'won', account_id = 2 WHERE id = 2`
          expect(yield* verify).toBe(4)
          expect(yield* store.delete(account, ContactId.make(3))).toBe(true)
          expect(yield* verify).toBe(3)
          const page = yield* store.list(account, {}, { page: 1, limit: 10 })
          expect(page.count).toBe(2)
        }).pipe(Effect.provide(storage))
      }).pipe(Effect.scoped)
    )
  }
)
