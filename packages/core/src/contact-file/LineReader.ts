import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import { maxLineLength, type StoredImport } from "./ContactImport.ts"
import * as Csv from "./Csv.ts"

/** The next records of the file, and the place behind them. */
export interface Lines {
  readonly records: ReadonlyArray<Csv.CsvRecord>
  readonly partsRead: number
  readonly offset: number
  /** Whether the file has no text behind the records. */
  readonly isEnd: boolean
  /** Whether the next line is longer than `maxLineLength`, so that it cannot be read. */
  readonly isTooLong: boolean
}

const byteOrderMark = "\uFEFF"

/**
 * Reads the next records of an import, at most `maxRecords`. It holds as many parts in memory as these records need, and
 * never more than `maxLineLength` characters and one part.
 *
 * @param part returns the text of a part
 */
export const read = Effect.fnUntraced(function* (
  { cursor, parts, partsRead, separator }: Pick<StoredImport, "cursor" | "parts" | "partsRead" | "separator">,
  part: (number: number) => Effect.Effect<Option.Option<string>, StorageError>,
  maxRecords: number
): Effect.fn.Return<Lines, StorageError> {
  // The lengths of the parts whose texts follow each other in `text`.
  const lengths: Array<number> = []
  let text = ""
  let from = cursor.offset
  let last = partsRead
  const records: Array<Csv.CsvRecord> = []
  while (true) {
    const wanted = maxRecords - records.length
    const found = Csv.read(text, from, { separator, isLast: last === parts, maxRecords: wanted })
    records.push(...found.records)
    from = found.offset
    const isTooLong = text.length - from > maxLineLength && records.length < maxRecords
    if (records.length === maxRecords || last === parts || isTooLong) {
      return { ...place(partsRead, lengths, from), records, isEnd: last === parts && from === text.length, isTooLong }
    }
    last += 1
    const next = Option.getOrElse(yield* part(last), () => "")
    lengths.push(next.length)
    // A later batch continues in the part, and its offset includes the mark.
    if (last === 1 && cursor.offset === 0 && next.startsWith(byteOrderMark)) from += byteOrderMark.length
    text += next
  }
})

/** Returns the place of an index: how many parts are before it, and its offset in the part that follows. */
const place = (partsRead: number, lengths: ReadonlyArray<number>, index: number) => {
  let before = 0
  let passed = 0
  for (const length of lengths) {
    if (before + length > index) break
    before += length
    passed += 1
  }
  return { partsRead: partsRead + passed, offset: index - before }
}
