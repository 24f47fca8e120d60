import type { AuditedKind } from "../audit/AuditTrail.ts"
import { idAs } from "../audit/FieldChanges.ts"
import type { Contact } from "./Contact.ts"

/**
 * Contacts in the audit log. Everything that tells of the person is only named, so that no entry has to be changed when the
 * contact is erased (D-AUD-4). Tags count as personal, because they are texts that a person writes.
 */
export const kind: AuditedKind<Contact> = {
  type: "contact",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    firstName: "named",
    lastName: "named",
    email: "named",
    company: "named",
    website: "named",
    address: "named",
    city: "named",
    state: "named",
    zipCode: "named",
    country: "named",
    status: "shown",
    stage: "shown",
    team: idAs("team_id"),
    tags: "named",
    phoneNumbers: "named",
    customContext: "named",
    industryContext: "named",
    lastCallDate: "ignored",
    createdAt: "ignored",
    updatedAt: "ignored"
  }
}
