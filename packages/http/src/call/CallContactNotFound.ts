import * as Schema from "effect/Schema"

/**
 * No contact that the caller sees has the id given for a new call (D-CALL-6: 404 `contact_not_found`). It differs from
 * `ContactNotFound`, which has the code `not_found`.
 */
export class CallContactNotFound extends Schema.TaggedError<CallContactNotFound>(
  "@frontdesk/http/call/CallContactNotFound"
)("CallContactNotFound", { contactId: Schema.Int }) {}
