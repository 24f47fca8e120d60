import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Catalog from "./Catalog.ts"
import type { Table } from "./CopyDialect.ts"
import { type CopyFailed, CopyMismatch, CopyRefused, type CopyValueRefused } from "./CopyError.ts"
import * as Database from "./Database.ts"
import * as Fingerprint from "./Fingerprint.ts"
import * as Highs from "./Highs.ts"
import * as Row from "./Row.ts"
import * as Side from "./Side.ts"
import * as Sums from "./Sums.ts"
import { tableNames } from "./Tables.ts"

/** How far a copy has come with a table. Each is copied first, and read back when all are. */
export interface Progress {
  readonly phase: "copying" | "checking"
  readonly table: string
  readonly rows: number
  /** How many rows there are in all. */
  readonly total: number
}

/** What a copy holds: the same as its source, which has been checked. */
export interface Copied {
  readonly tables: ReadonlyArray<Fingerprint.TableFingerprint>
  readonly sums: Sums.Sums
  /** One checksum for all tables. */
  readonly checksum: string
}

/** Why there is no copy. */
export type CopyError = CopyRefused | CopyValueRefused | CopyMismatch | CopyFailed

/** What is copied from where to where. */
export interface CopyOptions {
  /** It is read in one transaction, and may be in use: the copy is what was committed when it began. */
  readonly source: SqlClient
  /** A database that is empty, or a copy of the source that nobody has written to. */
  readonly target: SqlClient
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/**
 * Makes the target hold the installation of the source, of whichever dialect each is.
 *
 * Everything happens in one transaction of the target, the checks too: it holds the whole copy or is as it was, also
 * when the process is killed. Only its tables are made before, where there are none. Run again, it copies everything
 * again; not when anybody has written to the target since, for that would be lost.
 *
 * Secrets are copied as they are kept, so the keys that seal them are needed with the target too.
 */
export const copy: (options: CopyOptions) => Effect.Effect<Copied, CopyError, Crypto> = Effect.fn("SqlCopy.copy")(
  function* ({ onProgress = () => Effect.void, ...options }) {
    const source = Side.make(options.source, "source")
    const target = Side.make(options.target, "target")
    const place = yield* Database.place(source)
    if (place !== null && place === (yield* Database.place(target))) {
      return yield* new CopyRefused({ reason: "same_database" })
    }
    // Not in the transaction, which would keep every server of the source from starting until it ends.
    yield* Database.checkSource(source)
    yield* Database.prepareTarget(target)
    return yield* transfer(source, target, onProgress).pipe(
      target.transaction(target.dialect.beginWrite),
      source.transaction(source.dialect.beginRead)
    )
  }
)

const transfer = Effect.fnUntraced(function* (
  source: Side.Side,
  target: Side.Side,
  onProgress: (progress: Progress) => Effect.Effect<void>
): Effect.fn.Return<Copied, CopyError, Crypto> {
  const tables = Catalog.match(tableNames, yield* Catalog.read(source), yield* Catalog.read(target))
  if (tables === undefined) return yield* new CopyRefused({ reason: "source_schema" })
  const installation = yield* Database.installation(source)
  yield* target.dialect.hold(target, tables)
  yield* checkReplaceable(target, tables, installation.id)

  const totals = yield* Effect.forEach(tables, (table) => Database.count(source, table))
  const report = (phase: Progress["phase"]) => (table: string, index: number, rows: number) =>
    onProgress({ phase, table, rows, total: totals[index] ?? 0 })

  const copying = report("copying")
  const putBack = yield* target.dialect.empty(target, tables)
  const copied = yield* Effect.forEach(tables, (table, index) => {
    const insert = target.dialect.insert(target, table)
    return Fingerprint.read(source, table, (rows, soFar) =>
      Effect.forEach(rows, (row) => Row.check(target.dialect, table, row), { discard: true }).pipe(
        Effect.andThen(insert(rows)),
        Effect.andThen(copying(table.name, index, soFar))
      )
    )
  })
  yield* putBack(yield* Highs.read(source, target, tables))

  const checking = report("checking")
  const kept = yield* Effect.forEach(tables, (table, index) =>
    Fingerprint.read(target, table, (_, soFar) => checking(table.name, index, soFar))
  )
  const different = copied.find((table, index) => !Fingerprint.same(table, kept[index]))
  if (different !== undefined) return yield* new CopyMismatch({ subject: different.table })
  const sums = yield* Sums.read(target)
  const wrong = Sums.difference(sums, yield* Sums.read(source))
  if (wrong !== undefined) return yield* new CopyMismatch({ subject: wrong })

  const checksum = yield* Fingerprint.all(kept)
  yield* Database.markCopied(target, { id: installation.id, copied: checksum })
  return { tables: kept, sums, checksum }
})

/** Refuses a target whose rows would be lost. */
const checkReplaceable = Effect.fnUntraced(function* (
  target: Side.Side,
  tables: ReadonlyArray<Table>,
  id: string
): Effect.fn.Return<void, CopyRefused | CopyFailed, Crypto> {
  if (yield* Database.isEmpty(target, tables)) return
  const held = yield* Database.installation(target)
  if (held.id !== id || held.copied === null) return yield* new CopyRefused({ reason: "other_installation" })
  const found = yield* Effect.forEach(tables, (table) => Fingerprint.read(target, table, () => Effect.void))
  if ((yield* Fingerprint.all(found)) !== held.copied) return yield* new CopyRefused({ reason: "target_changed" })
})
