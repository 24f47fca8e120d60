import { ErasureReport } from "@frontdesk/core/erasure/ErasureReport"
import * as Imports from "@frontdesk/core/contact-file/ContactImport"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { accountId: _accountId, ...fields } = Imports.ContactImport.fields

/** The JSON of an import of contacts. */
export const ContactImportView = Wire.snakeCase(
  Schema.Struct({ ...fields, createdAt: Timestamp, updatedAt: Timestamp })
).annotate({ identifier: "ContactImport" })

/** Returns the view of an import. */
export const contactImportView = ({
  accountId: _owner,
  ...stored
}: Imports.ContactImport): typeof ContactImportView.Type => stored

/** The JSON of a line that was not imported. */
export const RefusedLineView = Imports.RefusedLine.annotate({ identifier: "RefusedLine" })

/** The JSON of a page of an export. */
export const ContactExportView = Schema.Struct({
  csv: Schema.String,
  next: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "ContactExportPage" })

/** The JSON of what an erasure has done. */
export const ErasureView = Wire.snakeCase(ErasureReport).annotate({ identifier: "ContactErasure" })
