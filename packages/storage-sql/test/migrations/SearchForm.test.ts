import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Text from "@frontdesk/core/values/Text"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { places } from "../databases.ts"
import * as Before from "./before.ts"

const texts = ["zoe\u0308", "zo\u00eb", "zoe", "\u{1F600} zoe\u0308 \u1100\u1161", "plain", "hauptstraße", "οδος"]

describe.each(places)("the migration of the search text, in %s", (_, place) => {
  it.effect("contacts of the first schema are found however their names are composed, and in any case", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* place
      yield* Effect.gen(function* () {
        yield* Before.migrateFirst
        yield* Before.insertAccounts
        for (const [index, text] of texts.entries()) {
          yield* Before.insertAll("contact", [
            yield* Before.contactRow({
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
