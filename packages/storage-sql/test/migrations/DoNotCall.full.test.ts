import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

/** Returns a row of `contact_number`. */
const numberRow = (isFlagged: boolean, fields: { readonly contact_id: number; readonly phone_number: string }) =>
  Effect.map(SqlClient, (sql) => {
    const flag = (value: boolean) => (ClientDialect.of(sql).isConcurrent ? value : value ? 1 : 0)
    const base = { account_id: 1, position: 0, is_primary: flag(true), do_not_call: flag(isFlagged) }
    return { ...base, ...fields }
  })

const flagged = { contact_id: 1, phone_number: "+12025550111" }
const again = { contact_id: 2, phone_number: "+12025550111" }
const free = { contact_id: 1, phone_number: "+12025550112" }

const owner = AccountId.make(1)
const list = Effect.flatMap(DoNotCallStore, (store) => store.list(owner, {}, { page: 1, limit: 20 }))

describe.each(emptyDatabases)(
  "the migration to do-not-call lists of a database with rows, on %s",
  (_, emptyDatabase) => {
    it.live(
      "each flagged number is listed once, also if an older server flags it later, until its account is deleted",
      () =>
        Effect.gen(function* () {
          const { client, storage } = yield* emptyDatabase
          yield* Effect.gen(function* () {
            yield* OldSchema.migrateFirst
            yield* OldSchema.insertAccounts
            const contacts = [1, 2].map((id) => OldSchema.contactRow({ id, account_id: 1 }))
            yield* OldSchema.insertAll("contact", yield* Effect.all(contacts))
            const rows = [numberRow(true, flagged), numberRow(true, again), numberRow(false, free)]
            yield* OldSchema.insertAll("contact_number", yield* Effect.all(rows))
          }).pipe(Effect.provide(client))

          yield* Effect.gen(function* () {
            expect((yield* list).items).toEqual(["+12025550111"])
            const contacts = yield* ContactStore
            const found = contacts.find({ accountId: owner, teamIds: [] }, ContactId.make(1))
            const numbers = Option.getOrThrow(yield* found).phoneNumbers
            expect(numbers.map(({ doNotCall, phoneNumber }) => [phoneNumber, doNotCall])).toEqual([
              ["+12025550111", true],
              ["+12025550112", false]
            ])
            const sql = yield* SqlClient
            yield* sql`UPDATE contact_number SET do_not_call = ${ClientDialect.of(sql).isConcurrent ? true : 1}
          WHERE phone_number = '+12025550112'`
            yield* OldSchema.insertAll("contact_number", [
              yield* numberRow(true, { contact_id: 2, phone_number: "+12025550113" })
            ])
            expect((yield* list).items).toEqual(["+12025550111", "+12025550112", "+12025550113"])
            yield* sql`DELETE FROM account WHERE id = 1`
            expect((yield* list).items).toEqual([])
          }).pipe(Effect.provide(storage))
        }).pipe(Effect.scoped)
    )
  }
)
