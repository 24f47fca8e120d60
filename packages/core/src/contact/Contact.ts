import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/Team.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"

/** Database id of a contact. */
export const ContactId = DatabaseId.pipe(Schema.brand("ContactId"))

/** Database id of a contact. */
export type ContactId = typeof ContactId.Type

/** Database id of a contact's phone number. */
export const ContactNumberId = DatabaseId.pipe(Schema.brand("ContactNumberId"))

/** Database id of a contact's phone number. */
export type ContactNumberId = typeof ContactNumberId.Type

/** A phone number of a contact (C-2.3-3). */
export const ContactNumber = Schema.Struct({
  id: ContactNumberId,
  phoneNumber: PhoneNumber,
  phoneType: Schema.NullOr(Schema.String),
  primary: Schema.Boolean,
  doNotCall: Schema.Boolean
})

/** A phone number of a contact. */
export type ContactNumber = typeof ContactNumber.Type

/** A phone number that is to be kept: without an id it is a new one. */
export type NewContactNumber = Omit<ContactNumber, "id"> & { readonly id: ContactNumberId | null }

/** Custom or industry data of a contact: any JSON under any key. */
export const ContactContext = Schema.Record(Schema.String, Schema.Json)

/** Custom or industry data of a contact. */
export type ContactContext = typeof ContactContext.Type

/** Somebody an agent may talk to (C-2.3-1, D-CON-1). */
export const Contact = Schema.Struct({
  id: ContactId,
  accountId: AccountId,
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  website: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  zipCode: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  status: Schema.String,
  stage: Schema.String,
  team: Schema.NullOr(TeamRef),
  tags: Schema.Array(Schema.String),
  /** In the order they were added; exactly one is primary when there is any. */
  phoneNumbers: Schema.Array(ContactNumber),
  customContext: ContactContext,
  industryContext: ContactContext,
  lastCallDate: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** Somebody an agent may talk to. */
export type Contact = typeof Contact.Type

/**
 * How many bytes a contact may have as JSON besides its contexts: 20 KiB. A page of 100 contacts without their contexts has
 * less than `Page.maxBytes`.
 */
export const maxBytesBesidesContexts = 20_480

/** Returns the contact as a list shows it that has no room for its contexts. */
export const shorten = (contact: Contact): Contact => ({ ...contact, customContext: {}, industryContext: {} })

/** First and last name with a space between; empty when there is neither (D-VAL-2: derived, never stored). */
export const fullName = (contact: Pick<Contact, "firstName" | "lastName">): string =>
  [contact.firstName, contact.lastName].filter((name) => name !== null && name !== "").join(" ")

/** No contact the caller can see has this id (C-7-18: 404 `not_found`; for a new call 404 `contact_not_found`). */
export class ContactNotFound extends Schema.TaggedError<ContactNotFound>("@frontdesk/core/contact/ContactNotFound")(
  "ContactNotFound",
  { contactId: Schema.Int }
) {}
