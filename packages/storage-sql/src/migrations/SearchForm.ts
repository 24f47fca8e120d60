import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const Rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.Int, search_text: Schema.String })))

const batchSize = 500

/** SQLite knows nothing of Unicode: rows that are not plain ASCII are read in batches, and those that differ written. */
const inSqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  let last = 0
  while (true) {
    const rows = yield* Effect.orDie(
      Rows(
        yield* sql`SELECT id, search_text FROM contact
          WHERE id > ${last} AND search_text GLOB ${"*[^\u0001-\u007F]*"} ORDER BY id LIMIT ${batchSize}`
      )
    )
    for (const { id, search_text } of rows) {
      const composed = search_text.normalize("NFC")
      if (composed !== search_text) yield* sql`UPDATE contact SET search_text = ${composed} WHERE id = ${id}`
    }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
})

/** Composes the characters of the text that contacts are searched by. Only rows that change are written. */
export const searchForm = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(
        sql`UPDATE contact SET search_text = normalize(search_text, NFC) WHERE search_text IS NOT NFC NORMALIZED`
      ),
    orElse: () => inSqlite(sql)
  })
})
