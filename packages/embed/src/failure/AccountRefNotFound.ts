import * as Schema from "effect/Schema"

/** No account was provisioned with this ref, and the ref is not the id of an account. */
export class AccountRefNotFound extends Schema.TaggedError<AccountRefNotFound>(
  "@frontdesk/embed/failure/AccountRefNotFound"
)("AccountRefNotFound", { ref: Schema.String }) {}
