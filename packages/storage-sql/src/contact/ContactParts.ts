import type { AccountId } from "@frontdesk/core/access/Account"
import { type ContactId, type ContactNumber, ContactNumberId } from "@frontdesk/core/contact/Contact"
import type { ContactWrite } from "@frontdesk/core/contact/ContactStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"
import * as DoNotCallNumbers from "./DoNotCallNumbers.ts"

const NumberId = Schema.Struct({ id: ContactNumberId, position: Schema.Int })

/** Writes the parts of a contact that have tables of their own, with one statement for each kind of change. */
export interface ContactParts {
  /** Adds the tags of a contact. */
  readonly addTags: (
    contact: Pick<ContactWrite, "accountId" | "team" | "tags"> & { readonly id: ContactId }
  ) => Effect.Effect<void, StorageError>
  /** Removes all tags. */
  readonly clearTags: (contactId: ContactId) => Effect.Effect<void, StorageError>
  /**
   * Replaces the phone numbers of a contact. Numbers with an id are updated, numbers without one are added, and all
   * others are deleted. Returns the numbers with their ids.
   */
  readonly replaceNumbers: (
    contactId: ContactId,
    accountId: AccountId,
    numbers: ContactWrite["phoneNumbers"]
  ) => Effect.Effect<ReadonlyArray<ContactNumber>, StorageError>
  /** Adds phone numbers and ignores the ids they come with. Returns the numbers with their new ids. */
  readonly addNumbers: (
    contactId: ContactId,
    accountId: AccountId,
    numbers: ContactWrite["phoneNumbers"]
  ) => Effect.Effect<ReadonlyArray<ContactNumber>, StorageError>
}

type Positioned = ContactWrite["phoneNumbers"][number] & { readonly position: number }

const record = ({ doNotCall, id, phoneNumber, phoneType, position, primary }: Positioned) => ({
  id,
  position,
  phone_number: phoneNumber,
  phone_type: phoneType,
  is_primary: primary,
  do_not_call: doNotCall
})

/** Returns the writer of contact parts for one method of the store. */
export const make = (database: Database["Service"], operation: string): ContactParts => {
  const { dialect } = database
  const run = database.run(operation)
  const doNotCall = DoNotCallNumbers.make(database, operation)
  const numbered = database.all(operation, NumberId)
  const records = (parameter: string) =>
    dialect.records("record", parameter, {
      id: "integer",
      position: "integer",
      phone_number: "text",
      phone_type: "text",
      is_primary: "flag",
      do_not_call: "flag"
    })
  const tagsText = `INSERT INTO contact_tag (contact_id, position, account_id, team_id, tag)
    SELECT CAST(?1 AS bigint), record.position, CAST(?2 AS bigint), CAST(?3 AS bigint), record.tag
    FROM ${dialect.records("record", "?4", { position: "integer", tag: "text" })}`
  const addText = `INSERT INTO contact_number
      (contact_id, account_id, position, phone_number, phone_type, is_primary, do_not_call)
    SELECT CAST(?1 AS bigint), CAST(?2 AS bigint), record.position, record.phone_number, record.phone_type,
      record.is_primary, record.do_not_call
    FROM ${records("?3")} ORDER BY record.position RETURNING id, position`
  const keepText = `UPDATE contact_number
    SET position = record.position, phone_number = record.phone_number, phone_type = record.phone_type,
      is_primary = record.is_primary, do_not_call = record.do_not_call
    FROM ${records("?2")} WHERE contact_number.id = record.id AND contact_number.contact_id = ?1`

  const added = (contactId: ContactId, accountId: AccountId, numbers: ReadonlyArray<Positioned>) =>
    numbers.length === 0
      ? Effect.succeed([])
      : numbered(addText, [contactId, accountId, JSON.stringify(numbers.map(record))])

  /** Returns the numbers with the ids they had or received. */
  const withIds = (
    numbers: ReadonlyArray<Positioned>,
    ids: ReadonlyArray<typeof NumberId.Type>
  ): ReadonlyArray<ContactNumber> => {
    const given = new Map(ids.map(({ id, position }) => [position, id]))
    return numbers.flatMap(({ id, position, ...number }) => {
      const known = given.get(position) ?? id
      return known === null ? [] : [{ ...number, id: known }]
    })
  }

  const positioned = (numbers: ContactWrite["phoneNumbers"]): ReadonlyArray<Positioned> =>
    numbers.map((number, position) => ({ ...number, position }))

  /**
   * Adds the numbers with the do-not-call flag to the account's list, and sets the flag of numbers that the list has.
   */
  const flagged = Effect.fnUntraced(function* (accountId: AccountId, numbers: ContactWrite["phoneNumbers"]) {
    yield* doNotCall.add(
      accountId,
      numbers.flatMap(({ doNotCall, phoneNumber }) => (doNotCall ? [phoneNumber] : []))
    )
    const others = numbers.flatMap(({ doNotCall, phoneNumber }) => (doNotCall ? [] : [phoneNumber]))
    const listed = new Set(yield* doNotCall.listed(accountId, others))
    return numbers.map((number) => ({ ...number, doNotCall: number.doNotCall || listed.has(number.phoneNumber) }))
  })

  return {
    addTags: ({ accountId, id, tags, team }) =>
      tags.length === 0
        ? Effect.void
        : run(tagsText, [
            id,
            accountId,
            team?.id ?? null,
            JSON.stringify(tags.map((tag, position) => ({ position, tag })))
          ]),
    clearTags: (contactId) => run("DELETE FROM contact_tag WHERE contact_id = ?1", [contactId]),
    addNumbers: Effect.fnUntraced(function* (contactId, accountId, numbers) {
      const all = positioned(yield* flagged(accountId, numbers))
      return withIds(all, yield* added(contactId, accountId, all))
    }),
    replaceNumbers: Effect.fnUntraced(function* (contactId, accountId, numbers) {
      const all = positioned(yield* flagged(accountId, numbers))
      const kept = all.filter((number) => number.id !== null)
      yield* run(`DELETE FROM contact_number WHERE contact_id = ?1 AND id NOT IN ${dialect.integers("?2")}`, [
        contactId,
        JSON.stringify(kept.map((number) => number.id))
      ])
      if (kept.length > 0) yield* run(keepText, [contactId, JSON.stringify(kept.map(record))])
      const ids = yield* added(
        contactId,
        accountId,
        all.filter((number) => number.id === null)
      )
      return withIds(all, ids)
    })
  }
}
