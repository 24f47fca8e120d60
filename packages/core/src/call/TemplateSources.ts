import type * as Schema from "effect/Schema"
import type { BusinessValues } from "../business-context/BusinessContextStore.ts"
import { type Contact, fullName } from "../contact/Contact.ts"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import type { contactNames } from "../variable/DefaultVariables.ts"
import * as Template from "../variable/Template.ts"

/** The values that the templates of a call can use. */
export interface TemplateSources {
  readonly callVariables: Readonly<Record<string, VariableScalar>>
  /** Null when the call has no contact. */
  readonly contact: Contact | null
  readonly businessContext: BusinessValues
}

/**
 * Returns a function that finds the value of a name (D-TPL-2). It looks first in the call's variables, then in the
 * contact's custom context and fields. For a name that begins with `business_` it looks last in the business context
 * (C-2.4-7). A null counts as no value.
 */
export const lookup = ({ callVariables, contact, businessContext }: TemplateSources): Template.Lookup => {
  const fields = contact === null ? {} : contactFields(contact)
  const customContext = contact?.customContext ?? {}
  const business = Template.withBusinessPrefix((name) => own(businessContext, name))
  return (name) => own(callVariables, name) ?? own(customContext, name) ?? own(fields, name) ?? business(name)
}

/** Returns the values of the default contact variables. The phone number is the primary one. */
export const contactFields = (contact: Contact): Record<(typeof contactNames)[number], string | null> => ({
  first_name: contact.firstName,
  last_name: contact.lastName,
  full_name: fullName(contact) || null,
  email: contact.email,
  phone_number: contact.phoneNumbers.find((number) => number.primary)?.phoneNumber ?? null,
  company: contact.company,
  website: contact.website,
  address: contact.address,
  city: contact.city,
  state: contact.state,
  zip_code: contact.zipCode,
  country: contact.country
})

// A variable may be named `constructor`. A plain property access would find what every object inherits under that name.
const own = (record: Readonly<Record<string, Schema.Json>>, name: string): Schema.Json | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
