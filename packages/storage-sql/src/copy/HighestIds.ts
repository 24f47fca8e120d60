import * as Cell from "@frontdesk/core/access/Cell"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CopyClient } from "./CopyClient.ts"
import type { CopyFailed } from "./CopyError.ts"
import { quoted, type Table } from "./CopyTable.ts"

const HighestId = Schema.Struct({ table: Schema.String, highest: Schema.BigIntFromString })

/**
 * Returns for each table the highest id that the source has ever generated, even if its row was deleted. If the target
 * has a higher id, that one is returned. The target must not generate an id up to it again (D-STO-1). A table without ids
 * of the installation's cell gets the last one before the cell (D-STO-14).
 */
export const read = Effect.fnUntraced(function* (
  source: CopyClient,
  target: CopyClient,
  tables: ReadonlyArray<Table>,
  cell: Cell.Cell
): Effect.fn.Return<ReadonlyMap<string, bigint>, CopyFailed> {
  const before = BigInt(Cell.ids(cell).first - 1)
  const highestIds = new Map(tables.map(({ name }) => [name, before]))
  const note = ({ highest, table }: typeof HighestId.Type): void => {
    if (highest > (highestIds.get(table) ?? before)) highestIds.set(table, highest)
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
