import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { quoted, type Table } from "./CopyDialect.ts"
import type { CopyFailed } from "./CopyError.ts"
import type { Side } from "./CopySide.ts"

const High = Schema.Struct({ table: Schema.String, high: Schema.BigIntFromString })

/**
 * The highest number that each table of the source ever gave: that of a row, or of one that is gone. The target must not
 * give it again.
 */
export const read = Effect.fnUntraced(function* (
  source: Side,
  target: Side,
  tables: ReadonlyArray<Table>
): Effect.fn.Return<ReadonlyMap<string, bigint>, CopyFailed> {
  const highs = new Map<string, bigint>()
  const note = ({ high, table }: typeof High.Type): void => {
    if (high > (highs.get(table) ?? 0n)) highs.set(table, high)
  }
  for (const row of yield* source.all(High, source.dialect.highs)) note(row)
  for (const { columns, name } of tables) {
    for (const column of columns.filter(({ isCounted }) => isCounted)) {
      const text = `SELECT CAST(coalesce(max(${quoted(column.name)}), 0) AS text) AS high FROM ${quoted(name)}`
      for (const { high } of yield* target.all(Schema.Struct({ high: Schema.BigIntFromString }), text)) {
        note({ table: name, high })
      }
    }
  }
  return highs
})
