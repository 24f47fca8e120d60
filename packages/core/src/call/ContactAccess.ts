import type { AccountSettings } from "../access/Account.ts"
import type { Contact } from "../contact/Contact.ts"
import type { Call } from "./Call.ts"

/**
 * What the agent of a call may tell and change of the call's contact (D-AGT-6).
 *
 * - `all`: everything. The agent has dialled the number of the contact, or the account trusts the numbers of inbound calls.
 * - `first_name`: the agent may greet the contact with the first name. Anyone can make a call with the number of another
 *   person, so the agent learns nothing else, and changes nothing.
 */
export type ContactAccess = "all" | "first_name"

/** Returns what the agent of a call may tell and change of the call's contact. */
export const of = (
  { type }: Pick<Call, "type">,
  { inboundIdentity }: Pick<AccountSettings, "inboundIdentity">
): ContactAccess => (type === "inbound" && inboundIdentity === "number_only" ? "first_name" : "all")

/** Returns the contact with the fields that the agent may tell. All other fields are empty. */
export const disclosed = (access: ContactAccess, contact: Contact): Contact =>
  access === "all"
    ? contact
    : {
        ...contact,
        lastName: null,
        email: null,
        company: null,
        website: null,
        address: null,
        city: null,
        state: null,
        zipCode: null,
        country: null,
        status: "",
        stage: "",
        team: null,
        tags: [],
        phoneNumbers: [],
        customContext: {},
        industryContext: {},
        lastCallDate: null
      }
