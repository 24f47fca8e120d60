import type { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Catalog from "./Catalog.ts"
import { type CopyFailed, CopyMismatch, CopyRefused, type CopyValueRefused } from "./CopyError.ts"
import * as CopyDatabase from "./CopyDatabase.ts"
import * as TableChecksum from "./TableChecksum.ts"
import * as HighestIds from "./HighestIds.ts"
import * as CopyRow from "./CopyRow.ts"
import * as CopyClient from "./CopyClient.ts"
import * as InstallationTotals from "./InstallationTotals.ts"
import type { Table } from "./CopyTable.ts"
import { tableNames } from "./CopiedTables.ts"

/** The progress of a copy within one table. First all tables are copied, then all are read back and checked. */
export interface Progress {
  readonly phase: "copying" | "checking"
  readonly table: string
  readonly rows: number
  /** The number of rows of the table in the source. */
  readonly total: number
}

/** The result of a copy, after the check that source and target are the same. */
export interface Copied {
  readonly tables: ReadonlyArray<TableChecksum.TableChecksum>
  readonly sums: InstallationTotals.Sums
  /** The checksum of all tables. */
  readonly checksum: string
}

/** The ways in which a copy can fail. */
export type CopyError = CopyRefused | CopyValueRefused | CopyMismatch | CopyFailed

/** The two databases of a copy. */
export interface CopyOptions {
  /**
   * The database to copy. It is read in one transaction and may be in use (D-COPY-2). The copy has everything that was
   * committed before it began.
   */
  readonly source: SqlClient
  /** An empty database, or a copy of the source that has not been written to. */
  readonly target: SqlClient
  /** Is called after each chunk of rows. */
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/**
 * Copies the installation of the source to the target. Source and target may have different dialects.
 *
 * The copy and its checks are one transaction of the target (D-COPY-1). When it fails or the process is killed, the
 * target is unchanged, except that missing tables have been created before. A copy may be repeated: it replaces the
 * earlier copy, but fails if the target has been written to since, because those writes would be lost (D-COPY-3).
 *
 * Secrets are copied as they are stored, so the target needs the keys that sealed them.
 */
export const copy: (options: CopyOptions) => Effect.Effect<Copied, CopyError, Crypto> = Tracing.operation(
  "SqlCopy.copy"
)(function* ({ onProgress = () => Effect.void, ...options }) {
  const source = CopyClient.make(options.source, "source")
  const target = CopyClient.make(options.target, "target")
  const place = yield* CopyDatabase.place(source)
  if (place !== null && place === (yield* CopyDatabase.place(target))) {
    return yield* new CopyRefused({ reason: "same_database" })
  }
  // This runs before the transaction: locks of the migrations would be held until the copy ends, and would keep
  // servers from starting that use the same PostgreSQL database.
  yield* CopyDatabase.checkSource(source)
  yield* CopyDatabase.prepareTarget(target)
  return yield* transfer(source, target, onProgress).pipe(
    target.transaction(target.dialect.beginWrite),
    source.transaction(source.dialect.beginRead)
  )
})

const transfer = Effect.fnUntraced(function* (
  source: CopyClient.CopyClient,
  target: CopyClient.CopyClient,
  onProgress: (progress: Progress) => Effect.Effect<void>
): Effect.fn.Return<Copied, CopyError, Crypto> {
  const tables = Catalog.match(tableNames, yield* Catalog.read(source), yield* Catalog.read(target))
  if (tables === undefined) return yield* new CopyRefused({ reason: "source_schema" })
  const installation = yield* CopyDatabase.installation(source)
  yield* target.dialect.lock(target, tables)
  yield* checkReplaceable(target, tables, installation.id)

  const totals = yield* Effect.forEach(tables, (table) => CopyDatabase.count(source, table))
  const report = (phase: Progress["phase"]) => (table: string, index: number, rows: number) =>
    onProgress({ phase, table, rows, total: totals[index] ?? 0 })

  const copying = report("copying")
  const restore = yield* target.dialect.empty(target, tables)
  const copied = yield* Effect.forEach(tables, (table, index) => {
    const insert = target.dialect.insert(target, table)
    return TableChecksum.read(source, table, (rows, soFar) =>
      Effect.forEach(rows, (row) => CopyRow.check(target.dialect.problem, table, row), { discard: true }).pipe(
        Effect.andThen(insert(rows)),
        Effect.andThen(copying(table.name, index, soFar))
      )
    )
  })
  // First, because the ids of another cell are beyond the limits of the sequences.
  yield* CopyDatabase.becomeCell(target, installation.cell)
  yield* restore(yield* HighestIds.read(source, target, tables, installation.cell))

  const checking = report("checking")
  const stored = yield* Effect.forEach(tables, (table, index) =>
    TableChecksum.read(target, table, (_, soFar) => checking(table.name, index, soFar))
  )
  const different = copied.find((table, index) => !TableChecksum.same(table, stored[index]))
  if (different !== undefined) return yield* new CopyMismatch({ subject: different.table })
  const sums = yield* InstallationTotals.read(target)
  const wrong = InstallationTotals.difference(sums, yield* InstallationTotals.read(source))
  if (wrong !== undefined) return yield* new CopyMismatch({ subject: wrong })

  const checksum = yield* TableChecksum.all(stored)
  yield* CopyDatabase.markCopied(target, { id: installation.id, copied: checksum })
  return { tables: stored, sums, checksum }
})

/** Fails for a target with rows that the copy would destroy and that the source does not have. */
const checkReplaceable = Effect.fnUntraced(function* (
  target: CopyClient.CopyClient,
  tables: ReadonlyArray<Table>,
  id: string
): Effect.fn.Return<void, CopyRefused | CopyFailed, Crypto> {
  if (yield* CopyDatabase.isEmpty(target, tables)) return
  const current = yield* CopyDatabase.installation(target)
  if (current.id !== id || current.copied === null) return yield* new CopyRefused({ reason: "other_installation" })
  const found = yield* Effect.forEach(tables, (table) => TableChecksum.read(target, table, () => Effect.void))
  if ((yield* TableChecksum.all(found)) !== current.copied) return yield* new CopyRefused({ reason: "target_changed" })
})
