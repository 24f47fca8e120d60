import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/TeamRef.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"

export { maxBytesBesidesContexts } from "./ContactLimits.ts"

/** The database id of a contact. */
export const ContactId = DatabaseId.pipe(Schema.brand("ContactId"))

/** The database id of a contact. */
export type ContactId = typeof ContactId.Type

/** The database id of a contact's phone number. */
export const ContactNumberId = DatabaseId.pipe(Schema.brand("ContactNumberId"))

/** The database id of a contact's phone number. */
export type ContactNumberId = typeof ContactNumberId.Type

/** A phone number of a contact (C-2.3-3). */
export const ContactNumber = Schema.Struct({
  id: ContactNumberId,
  phoneNumber: PhoneNumber,
  phoneType: Schema.NullOr(Schema.String),
  primary: Schema.Boolean,
  /** Whether the number is on the do-not-call list of the contact's owner (D-DNC-1). */
  doNotCall: Schema.Boolean
})

/** A phone number of a contact. */
export type ContactNumber = typeof ContactNumber.Type

/** A phone number to store. A number without an id is new. */
export type NewContactNumber = Omit<ContactNumber, "id"> & { readonly id: ContactNumberId | null }

/** Custom or industry data of a contact: any JSON under any key. */
export const ContactContext = Schema.Record(Schema.String, Schema.Json)

/** Custom or industry data of a contact. */
export type ContactContext = typeof ContactContext.Type

/** A person whom an account calls (C-2.3-1, D-CON-1). */
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
  /** The phone numbers in the order in which they were added. Exactly one is primary, unless the list is empty. */
  phoneNumbers: Schema.Array(ContactNumber),
  customContext: ContactContext,
  industryContext: ContactContext,
  lastCallDate: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** A person whom an account calls. */
export type Contact = typeof Contact.Type

/** Returns the contact without its contexts. A list shows it so when its contexts would make the page too large. */
export const shorten = (contact: Contact): Contact => ({ ...contact, customContext: {}, industryContext: {} })

/** Returns first and last name with a space between, or "" without either. It is never stored (D-VAL-2). */
export const fullName = (contact: Pick<Contact, "firstName" | "lastName">): string =>
  [contact.firstName, contact.lastName].filter((name) => name !== null && name !== "").join(" ")
