import * as Schema from "effect/Schema"

/** The account has no import with this id (404 `not_found`). */
export class ContactImportNotFound extends Schema.TaggedError<ContactImportNotFound>(
  "@frontdesk/core/contact-file/ContactImportNotFound"
)("ContactImportNotFound", { importId: Schema.Int }) {}

/** The import takes no more parts, or has been started before (409 `import_not_uploading`). */
export class ContactImportNotUploading extends Schema.TaggedError<ContactImportNotUploading>(
  "@frontdesk/core/contact-file/ContactImportNotUploading"
)("ContactImportNotUploading", { importId: Schema.Int, status: Schema.String }) {}

/** The import cannot be started because it has no parts, or parts between others are missing (409 `import_incomplete`). */
export class ContactImportIncomplete extends Schema.TaggedError<ContactImportIncomplete>(
  "@frontdesk/core/contact-file/ContactImportIncomplete"
)("ContactImportIncomplete", { importId: Schema.Int, missing: Schema.Int }) {}
