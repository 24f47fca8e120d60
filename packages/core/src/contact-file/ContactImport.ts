import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import type { Actor } from "../audit/Actor.ts"
import { DatabaseId } from "../values/DatabaseId.ts"
import { FieldProblem } from "../values/FieldProblem.ts"
import { ImportField } from "./ContactColumns.ts"

/** The database id of an import. */
export const ContactImportId = DatabaseId.pipe(Schema.brand("ContactImportId"))

/** The database id of an import. */
export type ContactImportId = typeof ContactImportId.Type

/**
 * The states of an import. Parts are added while it is `uploading`. It is `running` until its last line was read. `failed`
 * means that its lines could not be read further; the contacts of earlier lines stay.
 */
export const ImportStatus = Schema.Literals(["uploading", "running", "finished", "failed", "cancelled"])

/** What an import does with a line whose phone number or e-mail address a contact of the account has. */
export const OnKnown = Schema.Literals(["skip", "update", "refuse"])

/** The maximum number of characters of a part. As JSON in UTF-8 an ordinary text of this length is below 1 MiB. */
export const maxPartLength = 262_144

/** The maximum number of parts of an import. */
export const maxParts = 128

/** The maximum number of lines of an import, without the header. */
export const maxLines = 250_000

/** The maximum number of columns of a file. */
export const maxColumns = 200

/** The maximum number of characters of one line. A contact has less, because its contexts are bounded. */
export const maxLineLength = 524_288

/** The maximum number of refused lines that an import stores. It counts the others. */
export const maxRefused = 5_000

/** The maximum number of characters of the cells that a refused line stores. */
export const maxShown = 4_096

/** The maximum number of imports that an account has, until their retention ends. */
export const maxImports = 100

/** The maximum number of imports of an account that are `uploading` or `running`. */
export const maxUnfinished = 3

/** The column of the file that fills a field. */
export const MappedColumn = Schema.Struct({ column: Schema.String, field: ImportField })

/** Why an import has failed. */
export const ImportFailure = Schema.Struct({ code: Schema.String, message: Schema.String })

/** An import of contacts from a CSV file. */
export const ContactImport = Schema.Struct({
  id: ContactImportId,
  accountId: AccountId,
  status: ImportStatus,
  onKnown: OnKnown,
  separator: Schema.String,
  /** Whether lines are only checked. Then no contact is created or changed. */
  dryRun: Schema.Boolean,
  /** Which column fills which field. Null for a file whose columns have the names of fields. */
  columns: Schema.NullOr(Schema.Array(MappedColumn)),
  /** How many parts were added. */
  parts: Schema.Int,
  /** How many parts were read to their end, and deleted. */
  partsRead: Schema.Int,
  /** How many lines were read. Each was created, updated, skipped or refused. */
  lines: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  skipped: Schema.Int,
  refused: Schema.Int,
  failure: Schema.NullOr(ImportFailure),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** An import of contacts from a CSV file. */
export type ContactImport = typeof ContactImport.Type

/** The place in the parts from which the next line is read. */
export const ImportCursor = Schema.Struct({
  /** The index in the text of the part after the parts that were read. */
  offset: Schema.Int,
  /** How many records were read, with the header and with lines that have no text. */
  line: Schema.Int,
  /** The field of each column, or null for a column that is not imported. Null before the header was read. */
  fields: Schema.NullOr(Schema.Array(Schema.NullOr(Schema.String))),
  /** The names of the columns. Null before the header was read. */
  header: Schema.NullOr(Schema.Array(Schema.String)),
  /** How many times in a row the next lines could not be imported because of an unexpected error. */
  failures: Schema.Int
})

/** An import as it is stored. */
export interface StoredImport extends ContactImport {
  readonly cursor: typeof ImportCursor.Type
  /** When the next lines are to be imported. Null unless the import is `running`. */
  readonly dueAt: ContactImport["createdAt"] | null
  /** The actor that has started the import, which is also that of its changes of contacts (D-AUD-10). Null before it is started. */
  readonly startedBy: Actor | null
}

/** A line that was not imported. */
export const RefusedLine = Schema.Struct({
  /** The number of the line as in a spreadsheet: the header is line 1. A cell with line ends belongs to one line. */
  line: Schema.Int,
  problems: Schema.Array(FieldProblem),
  /** The cells of the line, by the names of their columns. Of a long line the first {@link maxShown} characters. */
  values: Schema.Record(Schema.String, Schema.String)
})

/** A line that was not imported. */
export type RefusedLine = typeof RefusedLine.Type
