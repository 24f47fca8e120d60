import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Text from "@frontdesk/core/values/Text"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const texts = ["zoe\u0308", "zo\u00eb", "zoe", "\u{1F600} zoe\u0308 \u1100\u1161", "plain", "hauptstraße", "οδος"]

describe.each(emptyDatabases)("the migration of the search text, in %s", (_, emptyDatabase) => {
  it.effect("contacts of the first schema are found in any Unicode composition and any letter case", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* OldSchema.migrateFirst
        yield* OldSchema.insertAccounts
        for (const [index, text] of texts.entries()) {
          yield* OldSchema.insertAll("contact", [
            yield* OldSchema.contactRow({
              id: index + 1,
              account_id: 1,
              first_name: text,
              search_text: `${text}\u001F\u001F`
            })
          ])
        }
        yield* SqlMigrations.migrate
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly search_text: string }>`SELECT search_text FROM contact ORDER BY id`
        expect(rows.map(({ search_text }) => search_text)).toEqual(
          texts.map((text) => `${Text.searchForm(text)}\u001F\u001F`)
        )
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        const contacts = yield* ContactStore
        const scope = { accountId: AccountId.make(1), teamIds: [] }
        for (const search of ["ZOE\u0308", "zo\u00eb"]) {
          const found = yield* contacts.list(scope, { search }, Page.request({}))
          expect(found.items.map(({ id }) => id)).toEqual([4, 2, 1])
        }
        for (const [search, id] of [
          ["STRASSE", 6],
          ["ΟΔΟΣ", 7]
        ] as const) {
          const found = yield* contacts.list(scope, { search }, Page.request({}))
          expect(found.items.map((contact) => contact.id)).toEqual([id])
        }
      }).pipe(Effect.provide(storage))
    })
  )
})
