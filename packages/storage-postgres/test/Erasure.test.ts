import { describe, expect, it } from "@effect/vitest"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import { services } from "@frontdesk/testing/suite/Crashes"
import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"

const marker = "marker-erased"

/** Returns the tables with a row that contains the marker, as text or in bytes. */
const tablesWithMarker = Effect.gen(function* () {
  const sql = yield* SqlClient
  const hex = Buffer.from(marker).toString("hex")
  const tables = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema()`
  const found: Array<string> = []
  for (const { name } of tables) {
    const rows = yield* sql.unsafe(
      `SELECT 1 FROM "${name}" AS one WHERE CAST(one AS text) ILIKE '%${marker}%' OR CAST(one AS text) LIKE '%${hex}%' LIMIT 1`
    )
    if (rows.length > 0) found.push(name)
  }
  return found.toSorted((a, b) => a.localeCompare(b))
})

describe("an erasure in PostgreSQL (D-ERASE-1)", () => {
  it.effect("leaves nothing of the person in any row of any table", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* TestDatabase.withTables)
      yield* Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const { contact } = yield* ErasedPerson.plant(account.id, marker, "+12025550173")
        expect(yield* tablesWithMarker).toEqual([
          "calendar_event",
          "call",
          "contact",
          "contact_import_refused",
          "contact_number",
          "contact_tag",
          "idempotency_key",
          "outbox_task",
          "tool_call",
          "webhook_attempt",
          "webhook_event"
        ])
        const as = Effect.provideService(Principal, ofAccount(account))
        // The change and the erasure have entries in the audit log, which stay.
        const changed = { firstName: `${marker} 2`, tags: [`${marker} 2`], stage: "lost" }
        yield* as(Effect.flatMap(Contacts, (contacts) => contacts.patch(contact.id, changed)))
        expect(yield* tablesWithMarker).not.toContain("audit_entry")
        yield* as(Effect.flatMap(ContactErasures, (erasures) => erasures.erase(contact.id, { confirm: true })))
        expect(yield* tablesWithMarker).toEqual([])
        expect((yield* allEntriesOf(account.id)).map(({ operation }) => operation)).toEqual([
          "contactErasures.erase",
          "contactErasures.begin",
          "contacts.patch"
        ])
      }).pipe(
        Effect.provide(
          Layer.merge(services(PostgresStorage.layer({ url })), PostgresStorage.layerClient({ url, maxConnections: 1 }))
        )
      )
    }).pipe(Effect.scoped)
  )
})
