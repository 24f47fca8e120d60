import * as Text from "@frontdesk/core/values/Text"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const Rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.FiniteFromString, search_text: Schema.String }))
)

const batchSize = 500

/**
 * Converts the search text of contacts to the form of `Text.searchForm`, which no database can compute. ASCII text
 * already has that form. Other rows are read in batches, and those that change are written.
 */
export const searchForm = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isNotAscii = sql.onDialectOrElse({
    pg: () => sql.literal("octet_length(search_text) <> char_length(search_text)"),
    orElse: () => sql.literal("search_text GLOB '*[^\u0001-\u007F]*'")
  })
  let last = 0
  while (true) {
    const rows = yield* Effect.orDie(
      Rows(
        yield* sql`SELECT CAST(id AS text) AS id, search_text FROM contact
          WHERE contact.id > ${last} AND ${isNotAscii} ORDER BY contact.id LIMIT ${batchSize}`
      )
    )
    for (const { id, search_text } of rows) {
      const form = Text.searchForm(search_text)
      if (form !== search_text) yield* sql`UPDATE contact SET search_text = ${form} WHERE id = ${id}`
    }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
})
