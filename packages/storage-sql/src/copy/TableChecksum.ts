import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Stream from "effect/Stream"
import type { Table } from "./CopyDialect.ts"
import type { CopyFailed } from "./CopyError.ts"
import * as CopyRow from "./CopyRow.ts"
import type { Side } from "./CopySide.ts"

/** The name of a table, and what two tables with the same rows have the same of, in whatever order the rows are read. */
export interface TableFingerprint {
  readonly table: string
  readonly rows: number
  /** The sum of the SHA-256 of all rows, in hexadecimal. */
  readonly checksum: string
}

/** How many characters of rows are handed on together: as many, or one row more. */
const enough = 1 << 20

/** Reads all rows of a table, hands them on a few at a time, and answers their fingerprint. */
export const read = Effect.fnUntraced(function* <E, R>(
  side: Side,
  table: Table,
  onRows: (rows: ReadonlyArray<CopyRow.Row>, soFar: number) => Effect.Effect<void, E, R>
): Effect.fn.Return<TableFingerprint, CopyFailed | E, Crypto | R> {
  const crypto = yield* Crypto
  const sum = new BigUint64Array(4)
  let count = 0
  yield* Stream.runForEachArray(
    side.stream(CopyRow.select(side.dialect, table)),
    Effect.fnUntraced(function* (raw) {
      let rows: Array<CopyRow.Row> = []
      let length = 0
      for (const [index, given] of raw.entries()) {
        const row = yield* Effect.try({ try: () => CopyRow.make(table, given), catch: side.failed })
        const digest = yield* crypto.sha256(Utf8.encode(row.text))
        const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
        for (const lane of sum.keys()) sum[lane] = (sum[lane] ?? 0n) + words.getBigUint64(8 * lane)
        rows.push(row)
        length += row.text.length
        count++
        if (length >= enough || index === raw.length - 1) {
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

/** Whether two tables have the same rows. */
export const same = (one: TableFingerprint, other: TableFingerprint | undefined): boolean =>
  one.rows === other?.rows && one.checksum === other.checksum

/** One checksum for all tables. */
export const all = Effect.fnUntraced(function* (
  tables: ReadonlyArray<TableFingerprint>
): Effect.fn.Return<string, never, Crypto> {
  const crypto = yield* Crypto
  const digest = yield* crypto.sha256(Utf8.encode(JSON.stringify(tables)))
  return Hex.encode(digest)
})
