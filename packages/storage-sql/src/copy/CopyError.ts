import * as Schema from "effect/Schema"

/**
 * Why a copy is not made.
 *
 * - `same_database`: source and target are one database.
 * - `source_schema`, `target_schema`: that database is not at the schema of this version.
 * - `other_installation`: the target holds an installation, and not a copy of the source.
 * - `target_changed`: the target was copied from the source and has been written to since.
 */
export const CopyRefusal = Schema.Literals([
  "same_database",
  "source_schema",
  "target_schema",
  "other_installation",
  "target_changed"
])

/** Why a copy is not made. */
export type CopyRefusal = typeof CopyRefusal.Type

/** The copy is not made; the target is as it was. */
export class CopyRefused extends Schema.TaggedError<CopyRefused>("@frontdesk/storage-sql/copy/CopyRefused")(
  "CopyRefused",
  { reason: CopyRefusal }
) {}

/**
 * What a database cannot take: a text with a NUL character, a document that is no JSON, a time before its calendar
 * begins.
 */
export const ValueProblem = Schema.Literals(["nul", "json", "time"])

/** What a database cannot take. */
export type ValueProblem = typeof ValueProblem.Type

/**
 * The source holds a value that the target cannot; the target is as it was. The value is not shown: it may be a secret.
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

/** A table, or a sum, does not read the same in both databases after the copy; the target is as it was. */
export class CopyMismatch extends Schema.TaggedError<CopyMismatch>("@frontdesk/storage-sql/copy/CopyMismatch")(
  "CopyMismatch",
  { subject: Schema.String }
) {}

/** One of the databases failed; the target is as it was, unless its commit was on the way. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>("@frontdesk/storage-sql/copy/CopyFailed")("CopyFailed", {
  database: Schema.Literals(["source", "target"]),
  cause: Schema.Defect()
}) {}
