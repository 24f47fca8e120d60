import * as Schema from "effect/Schema"
import { ContactId } from "../contact/Contact.ts"
import * as Text from "../values/Text.ts"
import { areUnambiguous, ImportField } from "./ContactColumns.ts"
import { maxColumns, maxPartLength, maxParts, OnKnown } from "./ContactImport.ts"

const columnName = Text.between(1, 200)

const isUnambiguous = (columns: ReadonlyArray<{ readonly column: string; readonly field: string }>): boolean =>
  new Set(columns.map(({ column }) => column)).size === columns.length &&
  areUnambiguous(columns.map(({ field }) => field))

/**
 * The body that creates an import (D-IMP-1). Every field is optional, and null counts as absent.
 *
 * `onKnown` is `skip` by default, and the separator is a comma. Without `columns`, each column whose name is a field fills that
 * field, as in an exported file.
 */
export const CreateContactImport = Schema.Struct({
  onKnown: Schema.optionalKey(Schema.NullOr(OnKnown)),
  separator: Schema.optionalKey(Schema.NullOr(Schema.Literals([",", ";", "\t", "|"]))),
  dryRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  columns: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(Schema.Struct({ column: columnName, field: ImportField })).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(maxColumns),
        Schema.makeFilter(isUnambiguous, {
          description:
            "each column once, and each field once; only phone_number, phone_type and do_not_call may have several columns"
        })
      )
    )
  )
})

/** The body that creates an import. */
export type CreateContactImport = typeof CreateContactImport.Type

/** One part of the CSV text of an import. Parts are numbered from 1, and may be cut anywhere in the text. */
export const ContactImportPart = Schema.Struct({
  number: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxParts })),
  csv: Text.between(1, maxPartLength)
})

/** One part of the CSV text of an import. */
export type ContactImportPart = typeof ContactImportPart.Type

/** Selects the contacts of an export: those with a higher id than `after`. Without it, the export begins. */
export const ContactExportQuery = Schema.Struct({ after: Schema.optional(ContactId) })

/** Selects the contacts of an export. */
export type ContactExportQuery = typeof ContactExportQuery.Type
