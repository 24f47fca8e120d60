import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CopyClient } from "./CopyClient.ts"
import type { CopyFailed } from "./CopyError.ts"
import * as CopyRow from "./CopyRow.ts"
import type { Table } from "./CopyTable.ts"

/** The number of rows of a table and their checksum. The order in which rows are read does not change it (D-COPY-6). */
export interface TableChecksum {
  readonly table: string
  readonly rows: number
  /**
   * The sum of the SHA-256 digests of all rows, in hexadecimal. Each 64-bit word is summed by itself, without a carry.
   */
  readonly checksum: string
}

/** A chunk of rows is passed on once its rows have this many characters together. */
const chunkLength = 1 << 20

/**
 * Reads all rows of a table, passes them on in chunks, and returns their checksum. `soFar` is the number of rows up to
 * the end of the chunk.
 */
export const read = Effect.fnUntraced(function* <E, R>(
  client: CopyClient,
  table: Table,
  onRows: (rows: ReadonlyArray<CopyRow.Row>, soFar: number) => Effect.Effect<void, E, R>
): Effect.fn.Return<TableChecksum, CopyFailed | E, Crypto | R> {
  const crypto = yield* Crypto
  const sum = new BigUint64Array(4)
  let count = 0
  yield* Stream.runForEachArray(
    client.stream(CopyRow.select(client.dialect.read, table)),
    Effect.fnUntraced(function* (raw) {
      let rows: Array<CopyRow.Row> = []
      let length = 0
      for (const [index, given] of raw.entries()) {
        const row = yield* Effect.try({ try: () => CopyRow.make(table, given), catch: client.failed })
        const digest = yield* crypto.sha256(Utf8.encode(row.text))
        const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
        for (const lane of sum.keys()) sum[lane] = (sum[lane] ?? 0n) + words.getBigUint64(8 * lane)
        rows.push(row)
        length += row.text.length
        count++
        if (length >= chunkLength || index === raw.length - 1) {
          yield* onRows(rows, count)
          rows = []
          length = 0
        }
      }
    })
  )
  const checksum = Array.from(sum, (word) => word.toString(16).padStart(16, "0")).join("")
  return { table: table.name, rows: count, checksum }
})

/** Returns whether two tables have the same rows. */
export const same = (one: TableChecksum, other: TableChecksum | undefined): boolean =>
  one.rows === other?.rows && one.checksum === other.checksum

/** Returns one checksum for all tables. */
export const all = Effect.fnUntraced(function* (
  tables: ReadonlyArray<TableChecksum>
): Effect.fn.Return<string, never, Crypto> {
  const crypto = yield* Crypto
  return yield* crypto.sha256Hex(Utf8.encode(JSON.stringify(tables)))
})
