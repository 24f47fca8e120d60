import type { ColumnTypes } from "../../dialect/Dialect.ts"

/** Contacts with their phone numbers and tags, variable definitions, and business contexts. */
export const contacts = (type: ColumnTypes): ReadonlyArray<string> => [
  `CREATE TABLE contact (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id ${type.integer} REFERENCES team (id),
    status ${type.text} NOT NULL,
    stage ${type.text} NOT NULL,
    search_text ${type.text} NOT NULL,
    first_name ${type.text},
    last_name ${type.text},
    email ${type.text},
    company ${type.text},
    website ${type.text},
    address ${type.text},
    city ${type.text},
    state ${type.text},
    zip_code ${type.text},
    country ${type.text},
    last_call_date ${type.time},
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    custom_context ${type.json} NOT NULL,
    industry_context ${type.json} NOT NULL
  )${type.table}`,
  `CREATE INDEX contact_account ON contact (account_id, id, status, stage)`,
  `CREATE INDEX contact_status ON contact (account_id, status, id, stage)`,
  `CREATE INDEX contact_team ON contact (team_id, id, account_id, status, stage) WHERE team_id IS NOT NULL`,

  `CREATE TABLE contact_number (
    id ${type.id},
    contact_id ${type.integer} NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
    account_id ${type.integer} NOT NULL,
    position ${type.integer} NOT NULL,
    phone_number ${type.text} NOT NULL,
    phone_type ${type.text},
    is_primary ${type.flag} NOT NULL,
    do_not_call ${type.flag} NOT NULL
  )${type.table}`,
  `CREATE INDEX contact_number_contact ON contact_number (contact_id, position)`,
  `CREATE INDEX contact_number_phone_number ON contact_number (phone_number, account_id, contact_id, do_not_call)`,

  // account_id, team_id: copied from the contact, so that an index finds the contacts of an account or team by tag.
  `CREATE TABLE contact_tag (
    contact_id ${type.integer} NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
    position ${type.integer} NOT NULL,
    account_id ${type.integer} NOT NULL,
    team_id ${type.integer},
    tag ${type.text} NOT NULL,
    PRIMARY KEY (contact_id, position)
  )${type.table}`,
  `CREATE INDEX contact_tag_tag ON contact_tag (account_id, tag, contact_id)`,
  `CREATE INDEX contact_tag_team ON contact_tag (team_id, tag, contact_id, account_id) WHERE team_id IS NOT NULL`,

  `CREATE TABLE variable (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id ${type.integer} REFERENCES team (id),
    context_type ${type.text} NOT NULL,
    name ${type.text} NOT NULL,
    display_name ${type.text} NOT NULL,
    description ${type.text},
    variable_type ${type.text} NOT NULL,
    is_default ${type.flag} NOT NULL,
    select_options ${type.json}
  )${type.table}`,
  `CREATE UNIQUE INDEX variable_name ON variable (account_id, context_type, name)`,
  `CREATE INDEX variable_team ON variable (team_id, id) WHERE team_id IS NOT NULL`,

  `CREATE TABLE business_value (
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name ${type.text} NOT NULL,
    value ${type.text} NOT NULL,
    PRIMARY KEY (account_id, name)
  )${type.table}`
]
