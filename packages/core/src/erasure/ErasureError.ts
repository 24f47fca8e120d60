import * as Schema from "effect/Schema"

/** A call of the contact has not ended, so its data would be stored again (409 `contact_in_call`). */
export class ContactInCall extends Schema.TaggedError<ContactInCall>("@frontdesk/core/erasure/ContactInCall")(
  "ContactInCall",
  { callId: Schema.String }
) {}
