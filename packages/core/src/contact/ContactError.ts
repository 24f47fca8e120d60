import * as Schema from "effect/Schema"

/** No contact that the caller may see has this id (C-7-18: 404 `not_found`; for a new call 404 `contact_not_found`). */
export class ContactNotFound extends Schema.TaggedError<ContactNotFound>("@frontdesk/core/contact/ContactNotFound")(
  "ContactNotFound",
  { contactId: Schema.Int }
) {}

/** The contact has no phone number with this id (404 `not_found`, D-CON-15). */
export class ContactNumberNotFound extends Schema.TaggedError<ContactNumberNotFound>(
  "@frontdesk/core/contact/ContactNumberNotFound"
)("ContactNumberNotFound", { phoneNumberId: Schema.Int }) {}
