import * as Contacts from "@frontdesk/core/contact/Contact"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { accountId: _accountId, phoneNumbers: _phoneNumbers, ...fields } = Contacts.Contact.fields

const viewFields = {
  ...fields,
  fullName: Schema.String,
  phoneNumbers: Schema.Array(Wire.snakeCase(Contacts.ContactNumber).annotate({ identifier: "ContactPhoneNumber" })),
  lastCallDate: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

/** The JSON of a contact (D-CON-1). */
export const ContactView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "Contact" })

/** Returns the view of a contact. */
export const contactView = (contact: Contacts.Contact): typeof ContactView.Type => ({
  id: contact.id,
  firstName: contact.firstName,
  lastName: contact.lastName,
  fullName: Contacts.fullName(contact),
  email: contact.email,
  company: contact.company,
  website: contact.website,
  address: contact.address,
  city: contact.city,
  state: contact.state,
  zipCode: contact.zipCode,
  country: contact.country,
  status: contact.status,
  stage: contact.stage,
  team: contact.team,
  tags: contact.tags,
  phoneNumbers: contact.phoneNumbers,
  customContext: contact.customContext,
  industryContext: contact.industryContext,
  lastCallDate: contact.lastCallDate,
  createdAt: contact.createdAt,
  updatedAt: contact.updatedAt
})

/** The JSON of the answer to a create: the contact and a message. */
export const ContactCreated = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "ContactCreated"
})

/** The JSON of the answer to an update (C-2.3-2). */
export const ContactUpdated = Wire.snakeCase(
  Schema.Struct({
    id: fields.id,
    firstName: fields.firstName,
    lastName: fields.lastName,
    fullName: Schema.String,
    email: fields.email,
    message: Schema.String
  })
).annotate({ identifier: "ContactUpdated" })

/** Returns the answer to an update. */
export const contactUpdated = (contact: Contacts.Contact): typeof ContactUpdated.Type => ({
  id: contact.id,
  firstName: contact.firstName,
  lastName: contact.lastName,
  fullName: Contacts.fullName(contact),
  email: contact.email,
  message: "Contact updated"
})
