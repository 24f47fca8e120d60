import { describe, expect, it } from "@effect/vitest"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import { allEntriesOf, newEntry } from "@frontdesk/testing/suite/AuditEntries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

describe.each(emptyDatabases)("the table of the audit log, on %s (D-AUD-1)", (_, emptyDatabase) => {
  it.live("is added to a database with accounts, and refuses every UPDATE, but no DELETE of the retention", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* Effect.andThen(OldSchema.migrateTo(32), OldSchema.insertAccounts)
        yield* SqlMigrations.migrate
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* AuditStore
        yield* store.append(newEntry(1, 0))
        yield* store.append(newEntry(2, 0))
        const before = yield* allEntriesOf(1)
        for (const change of [
          sql`UPDATE audit_entry SET operation = 'contacts.put'`,
          sql`UPDATE audit_entry SET changes = '[]' WHERE account_id = 1`
        ]) {
          const refused = yield* Effect.flip(change)
          expect(String(refused.reason.cause)).toContain("an entry of the audit log cannot be changed")
        }
        expect(yield* allEntriesOf(1)).toEqual(before)
        expect(yield* store.sweep(Samples.later(1), Samples.rowLimit(9))).toBe(2)
        expect(yield* allEntriesOf(1)).toEqual([])
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )
})
