import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { VariableScalar } from "@frontdesk/core/variable/ContextVariable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const ValueRow = Schema.Struct({ name: Schema.String, value: Column.json(VariableScalar) })

/** The `BusinessContextStore` in a SQL database. Each value has a row of its own. */
export const layer: Layer.Layer<BusinessContextStore, never, Database> = Layer.effect(
  BusinessContextStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const values = database.readable("BusinessContextStore.values", ValueRow)
    const written = database.run("BusinessContextStore.write")
    const records = (columns: Parameters<typeof dialect.records>[2]) => dialect.records("record", "?2", columns)
    const removeText = `DELETE FROM business_value
      WHERE account_id = ?1 AND name IN (SELECT record.name FROM ${records({ name: "text" })})`
    // SQLite needs the condition: without a WHERE it would read ON CONFLICT as the ON of a join.
    const setText = `INSERT INTO business_value (account_id, name, value)
      SELECT CAST(?1 AS bigint), record.name, record.value FROM ${records({ name: "text", value: "text" })} WHERE TRUE
      ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value`

    // As text, because a client that parses JSON would return the value of a document and that of a text alike.
    const selectText = `SELECT name, CAST(value AS text) AS value FROM business_value WHERE account_id = ?1 ORDER BY name`

    return BusinessContextStore.of({
      values: (accountId) =>
        Effect.map(values(selectText, [accountId]), (rows) =>
          Object.fromEntries(rows.map(({ name, value }) => [name, value]))
        ),
      write: Effect.fnUntraced(function* (accountId, { remove, set }) {
        // Names are sorted, so that transactions that set values of the same names lock the rows in the same order and
        // cannot deadlock (D-PG-11).
        const entries = Object.entries(set).toSorted(([one], [other]) => (one < other ? -1 : 1))
        if (entries.length > 0) {
          const rows = entries.map(([name, value]) => ({ name, value: JSON.stringify(value) }))
          yield* written(setText, [accountId, JSON.stringify(rows)])
        }
        if (remove.length > 0) {
          yield* written(removeText, [accountId, JSON.stringify(remove.map((name) => ({ name })))])
        }
      }, database.atomically("BusinessContextStore.write"))
    })
  })
)
