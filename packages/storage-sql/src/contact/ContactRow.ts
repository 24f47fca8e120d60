import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { type Contact, ContactContext, ContactId, ContactNumberId, fullName } from "@frontdesk/core/contact/Contact"
import type { ContactWrite } from "@frontdesk/core/contact/ContactStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { isListed } from "./DoNotCallNumbers.ts"
import { type LargeColumn, whole } from "../storage/OwnedList.ts"

const NullableText = Schema.NullOr(Schema.String)

/** In a collected column a flag is 1 or 0 in SQLite, and a JSON boolean in PostgreSQL. */
const CollectedFlag = Schema.Union([Column.Flag, Schema.Boolean])

const CollectedNumber = Schema.Tuple([ContactNumberId, PhoneNumber, NullableText, CollectedFlag, CollectedFlag])

/** A row of `contact` with its team, tags and phone numbers. */
export const ContactRow = Schema.Struct({
  id: ContactId,
  accountId: AccountId,
  firstName: NullableText,
  lastName: NullableText,
  email: NullableText,
  company: NullableText,
  website: NullableText,
  address: NullableText,
  city: NullableText,
  state: NullableText,
  zipCode: NullableText,
  country: NullableText,
  status: Schema.String,
  stage: Schema.String,
  teamId: Schema.NullOr(TeamId),
  teamName: NullableText,
  tags: Column.json(Schema.Array(Schema.String)),
  phoneNumbers: Column.json(Schema.Array(CollectedNumber)),
  customContext: Column.json(ContactContext),
  industryContext: Column.json(ContactContext),
  lastCallDate: Schema.NullOr(Column.Time),
  createdAt: Column.Time,
  updatedAt: Column.Time
})

/** The large columns, whose total size a page limits. */
export const largeColumns = ["custom_context", "industry_context"]

/** Returns a `SELECT` of every column of {@link ContactRow}, to be followed by `WHERE`. */
export const select = (dialect: Dialect, large: LargeColumn = whole): string => {
  const number = ["contact_number.id", "phone_number", "phone_type", "is_primary", isListed]
  return `SELECT contact.id, contact.account_id, first_name, last_name, email, company, website, address, city, state,
  zip_code, country, contact.status, contact.stage, contact.team_id, team.name AS team_name,
  (SELECT ${dialect.collect(["tag"], "position")} FROM contact_tag WHERE contact_tag.contact_id = contact.id) AS tags,
  (SELECT ${dialect.collect(number, "position")} FROM contact_number WHERE contact_number.contact_id = contact.id)
    AS phone_numbers,
  ${largeColumns.map((column) => large("contact", column, "'{}'")).join(", ")}, last_call_date, contact.created_at, contact.updated_at
FROM contact
LEFT JOIN team ON team.id = contact.team_id`
}

/**
 * Returns the contact of a row. Fields are copied one by one, because a rest pattern (`...others`) would take longer than
 * decoding the row.
 */
export const toContact = (row: typeof ContactRow.Type): Contact => ({
  id: row.id,
  accountId: row.accountId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  company: row.company,
  website: row.website,
  address: row.address,
  city: row.city,
  state: row.state,
  zipCode: row.zipCode,
  country: row.country,
  status: row.status,
  stage: row.stage,
  team: row.teamId === null || row.teamName === null ? null : { id: row.teamId, name: row.teamName },
  tags: row.tags,
  phoneNumbers: row.phoneNumbers.map(([id, phoneNumber, phoneType, primary, doNotCall]) => ({
    id,
    phoneNumber,
    phoneType,
    primary,
    doNotCall
  })),
  customContext: row.customContext,
  industryContext: row.industryContext,
  lastCallDate: row.lastCallDate,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

const searchText = (contact: Pick<Contact, "firstName" | "lastName" | "email" | "company">): string =>
  [fullName(contact), contact.email ?? "", contact.company ?? ""].map(Text.searchForm).join("\u001F")

/** Returns the columns that an insert and an update write. */
export const columns = (
  dialect: Dialect,
  contact: Omit<ContactWrite, "id" | "accountId">
): Readonly<Record<string, unknown>> => ({
  team_id: contact.team?.id ?? null,
  status: contact.status,
  stage: contact.stage,
  search_text: searchText(contact),
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  company: contact.company,
  website: contact.website,
  address: contact.address,
  city: contact.city,
  state: contact.state,
  zip_code: contact.zipCode,
  country: contact.country,
  last_call_date: contact.lastCallDate === null ? null : dialect.time(contact.lastCallDate),
  created_at: dialect.time(contact.createdAt),
  updated_at: dialect.time(contact.updatedAt),
  custom_context: JSON.stringify(contact.customContext),
  industry_context: JSON.stringify(contact.industryContext)
})
