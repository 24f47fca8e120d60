import * as Schema from "effect/Schema"

/**
 * The reason why a copy is refused.
 *
 * - `same_database`: source and target are the same database.
 * - `source_schema`, `target_schema`: that database is not at the schema of this version.
 * - `other_installation`: the target has an installation that is not a copy of the source.
 * - `target_changed`: the target is a copy of the source, and has been written to since.
 */
export const CopyRefusal = Schema.Literals([
  "same_database",
  "source_schema",
  "target_schema",
  "other_installation",
  "target_changed"
])

/** The reason why a copy is refused. */
export type CopyRefusal = typeof CopyRefusal.Type

/** The copy was refused before it began. The data of the target is unchanged; missing tables may have been created. */
export class CopyRefused extends Schema.TaggedError<CopyRefused>("@frontdesk/storage-sql/copy/CopyRefused")(
  "CopyRefused",
  { reason: CopyRefusal }
) {}

/**
 * Why PostgreSQL cannot store a value. `nul`: a text or document contains a NUL character. `json`: a document is not
 * JSON. `time`: an instant is before 4714-11-24 BC.
 */
export const ValueProblem = Schema.Literals(["nul", "json", "time"])

/** Why PostgreSQL cannot store a value. */
export type ValueProblem = typeof ValueProblem.Type

/**
 * The source has a value that the target cannot store. The data of the target is unchanged; missing tables have been
 * created. The error does not show the value, which may be secret.
 */
export class CopyValueRefused extends Schema.TaggedError<CopyValueRefused>(
  "@frontdesk/storage-sql/copy/CopyValueRefused"
)("CopyValueRefused", {
  table: Schema.String,
  /** The primary key of the row, by column. */
  key: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  column: Schema.String,
  problem: ValueProblem
}) {}

/**
 * The check after the copy found a difference in a table, or in one of `InstallationTotals.Sums`. The data of the target
 * is unchanged; missing tables have been created.
 */
export class CopyMismatch extends Schema.TaggedError<CopyMismatch>("@frontdesk/storage-sql/copy/CopyMismatch")(
  "CopyMismatch",
  {
    /** The name of the table or of the sum that differs, for example `contact` or `balance`. */
    subject: Schema.String
  }
) {}

/**
 * One of the databases failed. The data of the target is unchanged, unless the failure came while the copy was committed.
 * Missing tables may have been created.
 */
export class CopyFailed extends Schema.TaggedError<CopyFailed>("@frontdesk/storage-sql/copy/CopyFailed")("CopyFailed", {
  database: Schema.Literals(["source", "target"]),
  cause: Schema.Defect()
}) {}
