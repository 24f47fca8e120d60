import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CopyClient } from "./CopyClient.ts"
import type { CopyFailed } from "./CopyError.ts"
import { quoted, type Table } from "./CopyTable.ts"

const HighestId = Schema.Struct({ table: Schema.String, highest: Schema.BigIntFromString })

/**
 * Returns for each table the highest id that the source has ever generated, even if its row was deleted. If the target
 * has a higher id, that one is returned. The target must not generate an id up to it again (D-STO-1).
 */
export const read = Effect.fnUntraced(function* (
  source: CopyClient,
  target: CopyClient,
  tables: ReadonlyArray<Table>
): Effect.fn.Return<ReadonlyMap<string, bigint>, CopyFailed> {
  const highestIds = new Map<string, bigint>()
  const note = ({ highest, table }: typeof HighestId.Type): void => {
    if (highest > (highestIds.get(table) ?? 0n)) highestIds.set(table, highest)
  }
  for (const row of yield* source.all(HighestId, source.dialect.highestIds)) note(row)
  for (const { columns, name } of tables) {
    for (const column of columns.filter(({ isGenerated }) => isGenerated)) {
      const text = `SELECT CAST(coalesce(max(${quoted(column.name)}), 0) AS text) AS highest FROM ${quoted(name)}`
      for (const { highest } of yield* target.all(Schema.Struct({ highest: Schema.BigIntFromString }), text)) {
        note({ table: name, highest })
      }
    }
  }
  return highestIds
})
