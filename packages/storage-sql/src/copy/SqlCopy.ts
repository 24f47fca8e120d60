import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Catalog from "./Catalog.ts"
import type { Table } from "./CopyDialect.ts"
import { type CopyFailed, CopyMismatch, CopyRefused, type CopyValueRefused } from "./CopyError.ts"
import * as CopyDatabase from "./CopyDatabase.ts"
import * as TableChecksum from "./TableChecksum.ts"
import * as HighestIds from "./HighestIds.ts"
import * as CopyRow from "./CopyRow.ts"
import * as CopySide from "./CopySide.ts"
import * as InstallationTotals from "./InstallationTotals.ts"
import { tableNames } from "./CopiedTables.ts"

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
  readonly tables: ReadonlyArray<TableChecksum.TableFingerprint>
  readonly sums: InstallationTotals.Sums
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
    const source = CopySide.make(options.source, "source")
    const target = CopySide.make(options.target, "target")
    const place = yield* CopyDatabase.place(source)
    if (place !== null && place === (yield* CopyDatabase.place(target))) {
      return yield* new CopyRefused({ reason: "same_database" })
    }
    // Not in the transaction, which would keep every server of the source from starting until it ends.
    yield* CopyDatabase.checkSource(source)
    yield* CopyDatabase.prepareTarget(target)
    return yield* transfer(source, target, onProgress).pipe(
      target.transaction(target.dialect.beginWrite),
      source.transaction(source.dialect.beginRead)
    )
  }
)

const transfer = Effect.fnUntraced(function* (
  source: CopySide.Side,
  target: CopySide.Side,
  onProgress: (progress: Progress) => Effect.Effect<void>
): Effect.fn.Return<Copied, CopyError, Crypto> {
  const tables = Catalog.match(tableNames, yield* Catalog.read(source), yield* Catalog.read(target))
  if (tables === undefined) return yield* new CopyRefused({ reason: "source_schema" })
  const installation = yield* CopyDatabase.installation(source)
  yield* target.dialect.hold(target, tables)
  yield* checkReplaceable(target, tables, installation.id)

  const totals = yield* Effect.forEach(tables, (table) => CopyDatabase.count(source, table))
  const report = (phase: Progress["phase"]) => (table: string, index: number, rows: number) =>
    onProgress({ phase, table, rows, total: totals[index] ?? 0 })

  const copying = report("copying")
  const putBack = yield* target.dialect.empty(target, tables)
  const copied = yield* Effect.forEach(tables, (table, index) => {
    const insert = target.dialect.insert(target, table)
    return TableChecksum.read(source, table, (rows, soFar) =>
      Effect.forEach(rows, (row) => CopyRow.check(target.dialect, table, row), { discard: true }).pipe(
        Effect.andThen(insert(rows)),
        Effect.andThen(copying(table.name, index, soFar))
      )
    )
  })
  yield* putBack(yield* HighestIds.read(source, target, tables))

  const checking = report("checking")
  const kept = yield* Effect.forEach(tables, (table, index) =>
    TableChecksum.read(target, table, (_, soFar) => checking(table.name, index, soFar))
  )
  const different = copied.find((table, index) => !TableChecksum.same(table, kept[index]))
  if (different !== undefined) return yield* new CopyMismatch({ subject: different.table })
  const sums = yield* InstallationTotals.read(target)
  const wrong = InstallationTotals.difference(sums, yield* InstallationTotals.read(source))
  if (wrong !== undefined) return yield* new CopyMismatch({ subject: wrong })

  const checksum = yield* TableChecksum.all(kept)
  yield* CopyDatabase.markCopied(target, { id: installation.id, copied: checksum })
  return { tables: kept, sums, checksum }
})

/** Refuses a target whose rows would be lost. */
const checkReplaceable = Effect.fnUntraced(function* (
  target: CopySide.Side,
  tables: ReadonlyArray<Table>,
  id: string
): Effect.fn.Return<void, CopyRefused | CopyFailed, Crypto> {
  if (yield* CopyDatabase.isEmpty(target, tables)) return
  const held = yield* CopyDatabase.installation(target)
  if (held.id !== id || held.copied === null) return yield* new CopyRefused({ reason: "other_installation" })
  const found = yield* Effect.forEach(tables, (table) => TableChecksum.read(target, table, () => Effect.void))
  if ((yield* TableChecksum.all(found)) !== held.copied) return yield* new CopyRefused({ reason: "target_changed" })
})
