import { type Contact, ContactId, shorten } from "@frontdesk/core/contact/Contact"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as EmailAddress from "@frontdesk/core/values/EmailAddress"
import * as Page from "@frontdesk/core/values/Page"
import * as Text from "@frontdesk/core/values/Text"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import type { Bindings } from "../storage/WriteStatements.ts"
import * as BoundedPage from "../storage/BoundedPage.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as LockedRow from "../storage/LockedRow.ts"
import * as OwnedRow from "../storage/OwnedRow.ts"
import * as OwnedList from "../storage/OwnedList.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import * as ContactParts from "./ContactParts.ts"
import { columns, ContactRow, largeColumns, select, toContact } from "./ContactRow.ts"

const Id = Schema.Struct({ id: ContactId })

/** The `ContactStore` in a SQL database. */
export const layer: Layer.Layer<ContactStore, never, Database> = Layer.effect(
  ContactStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const selectContact = select(dialect)

    const inserted = database.one("ContactStore.insert", Id)
    const insert = WriteStatements.inserter("contact", " RETURNING id")
    const insertParts = ContactParts.make(database, "ContactStore.insert")
    const updated = database.run("ContactStore.update")
    const update = WriteStatements.updater("contact")
    const updateParts = ContactParts.make(database, "ContactStore.update")

    const found = database.lookUp("ContactStore.find", ContactRow)
    const locked = LockedRow.first(database, "ContactStore.findForUpdate", {
      row: ContactRow,
      table: "contact",
      select: selectContact
    })
    const isFound = `contact.id = ?3 AND ${OwnedRow.inScope(dialect, "contact")}`
    const findText = `${selectContact} WHERE ${isFound}`

    const lockCalls = database.run("ContactStore.delete")
    const callsText = `SELECT call.id FROM call JOIN contact ON contact.id = call.contact_id
      WHERE contact.id = ?3 AND ${OwnedRow.inScope(dialect, "contact")} ORDER BY call.id${dialect.forUpdate("call")}`
    const deleted = database.first("ContactStore.delete", Column.Found)
    const deleteText = `DELETE FROM contact WHERE id = ?3 AND ${OwnedRow.inScope(dialect, "contact")} RETURNING id`
    const list = OwnedList.make(database, {
      operation: "ContactStore.list",
      table: "contact",
      order: [],
      isIndexed: false,
      direction: "DESC",
      type: "stage",
      row: ContactRow,
      select: (_, large) => select(dialect, large),
      largeColumns
    })
    const byNumber = database.all("ContactStore.idsByNumber", Id)
    const byEmail = database.all("ContactStore.idsByEmail", Id)
    const listed = database.all("ContactStore.listAfter", ContactRow)
    const touched = database.run("ContactStore.touchLastCall")

    return ContactStore.of({
      insert: Effect.fnUntraced(function* (contact) {
        const { id } = yield* inserted(...insert({ account_id: contact.accountId, ...columns(dialect, contact) }))
        yield* insertParts.addTags({ ...contact, id })
        const phoneNumbers = yield* insertParts.addNumbers(id, contact.accountId, contact.phoneNumbers)
        return { ...contact, id, phoneNumbers } satisfies Contact
      }, database.atomically("ContactStore.insert")),
      find: (scope, id) => Effect.map(found(findText, [...OwnedRow.params(scope), id]), Option.map(toContact)),
      findForUpdate: (scope, id) => Effect.map(locked(isFound, [...OwnedRow.params(scope), id]), Option.map(toContact)),
      update: Effect.fnUntraced(function* (contact) {
        yield* updated(...update(columns(dialect, contact), contact.id))
        yield* updateParts.clearTags(contact.id)
        yield* updateParts.addTags(contact)
        const phoneNumbers = yield* updateParts.replaceNumbers(contact.id, contact.accountId, contact.phoneNumbers)
        return { ...contact, phoneNumbers } satisfies Contact
      }, database.atomically("ContactStore.update")),
      delete: Effect.fnUntraced(function* (scope, id) {
        const params = [...OwnedRow.params(scope), id]
        // The end of a call locks the call first and then its contact. Deleting a contact changes its calls too, so it
        // locks in the same order. Otherwise the two transactions could deadlock (D-PG-15).
        if (dialect.isConcurrent) yield* lockCalls(callsText, params)
        return Option.isSome(yield* deleted(deleteText, params))
      }, database.atomically("ContactStore.delete")),
      list: (scope, filter, page) =>
        Effect.flatMap(
          list(
            scope,
            {
              teamId: filter.teamId,
              status: filter.status,
              type: filter.stage,
              conditions: (bindings, owner) => conditions(dialect, bindings, filter, owner)
            },
            page
          ),
          (found) => BoundedPage.make(Page.map(found, toContact), shorten)
        ),
      idsByNumber: (accountId, number) =>
        Effect.map(
          byNumber(
            `SELECT DISTINCT contact_id AS id FROM contact_number WHERE phone_number = ?1 AND account_id = ?2
              ORDER BY contact_id LIMIT 2`,
            [number, accountId]
          ),
          (rows) => rows.map((row) => row.id)
        ),
      idsByEmail: (accountId, email) =>
        Effect.map(
          byEmail(
            // SQLite uses the index of addresses only with the condition of that index.
            `SELECT id FROM contact WHERE account_id = ?1 AND email IS NOT NULL AND lower(email) = ?2
              ORDER BY id LIMIT 2`,
            [accountId, EmailAddress.storedKey(email)]
          ),
          (rows) => rows.map((row) => row.id)
        ),
      listAfter: (accountId, after, limit) =>
        Effect.map(
          listed(`${selectContact} WHERE contact.account_id = ?1 AND contact.id > ?2 ORDER BY contact.id LIMIT ?3`, [
            accountId,
            after ?? 0,
            limit
          ]),
          (rows) => rows.map(toContact)
        ),
      touchLastCall: (id, at) =>
        touched(
          "UPDATE contact SET last_call_date = ?2 WHERE id = ?1 AND (last_call_date IS NULL OR last_call_date < ?2)",
          [id, dialect.time(at)]
        )
    })
  })
)

/**
 * Returns `= ?` for one text and `IN (?, ?)` for several. PostgreSQL would plan a list of one as if it had many values.
 */
const oneOf = (bindings: Bindings, texts: ReadonlyArray<string>): string => {
  const [first = "", ...others] = texts.map((text) => bindings.add(text))
  return others.length === 0 ? `= ${first}` : `IN (${[first, ...others].join(", ")})`
}

const conditions = (
  dialect: Dialect,
  bindings: Bindings,
  filter: ContactFilter,
  owner: string
): ReadonlyArray<string> =>
  [
    filter.phoneNumber === undefined
      ? ""
      : `id IN (SELECT contact_id FROM contact_number WHERE phone_number = ${bindings.add(filter.phoneNumber)})`,
    // Tags also store the account and team of their contact, so an index finds the tags of an account or a team
    // (D-PG-13).
    filter.tag === undefined
      ? ""
      : `id IN (SELECT contact_id FROM contact_tag WHERE ${owner} AND tag ${oneOf(bindings, Text.forms(filter.tag))})`,
    filter.search === undefined ? "" : dialect.occurs("search_text", bindings.add(Text.searchForm(filter.search)))
  ].filter((condition) => condition !== "")
