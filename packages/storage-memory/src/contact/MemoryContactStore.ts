import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import {
  type Contact,
  ContactId,
  type ContactNumber,
  ContactNumberId,
  fullName,
  type NewContactNumber,
  shorten
} from "@frontdesk/core/contact/Contact"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as EmailAddress from "@frontdesk/core/values/EmailAddress"
import * as Page from "@frontdesk/core/values/Page"
import * as Text from "@frontdesk/core/values/Text"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import * as References from "../storage/References.ts"
import type { ContactRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as DoNotCallList from "./DoNotCallList.ts"

const toRow = <C extends { readonly team: TeamRef | null }>({ team, ...contact }: C) => ({
  ...contact,
  teamId: team === null ? null : team.id
})

/** Returns the contact of a row. Its do-not-call flags come from the list of its account. */
const show = (state: State, { phoneNumbers, teamId, ...contact }: ContactRow): Contact => ({
  ...contact,
  phoneNumbers: phoneNumbers.map((entry) => ({
    ...entry,
    doNotCall: HashSet.has(DoNotCallList.listOf(state, contact.accountId), entry.phoneNumber)
  })),
  team: References.team(state, teamId)
})

/** Returns the state with the flagged phone numbers of a row added to the do-not-call list. */
const addFlagged = (state: State, { accountId, phoneNumbers }: ContactRow): State =>
  DoNotCallList.add(
    state,
    accountId,
    phoneNumbers.flatMap(({ doNotCall, phoneNumber }) => (doNotCall ? [phoneNumber] : []))
  )

/** Assigns ids to the phone numbers that have none. Returns the last assigned id and the phone numbers. */
const assignIds = (
  lastId: number,
  numbers: ReadonlyArray<NewContactNumber>
): readonly [lastId: number, numbered: ReadonlyArray<ContactNumber>] => {
  const withoutId = numbers.filter((entry) => entry.id === null)
  const numbered = numbers.map((entry) => ({
    ...entry,
    id: entry.id ?? ContactNumberId.make(lastId + 1 + withoutId.indexOf(entry))
  }))
  return [lastId + withoutId.length, numbered]
}

const contains = (text: string | null, part: string): boolean =>
  text !== null && Text.searchForm(text).includes(Text.searchForm(part))

/** Returns whether a text is a part of the name, the e-mail address or the company of a contact. */
export const isFound = (row: Pick<ContactRow, "company" | "email" | "firstName" | "lastName">, text: string): boolean =>
  contains(fullName(row), text) || contains(row.email, text) || contains(row.company, text)

const isTagged = ({ tags }: ContactRow, tag: string): boolean => Text.forms(tag).some((form) => tags.includes(form))

const matches = (row: ContactRow, filter: ContactFilter): boolean =>
  (filter.search === undefined || isFound(row, filter.search)) &&
  (filter.phoneNumber === undefined || row.phoneNumbers.some((entry) => entry.phoneNumber === filter.phoneNumber)) &&
  (filter.tag === undefined || isTagged(row, filter.tag)) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.stage === undefined || row.stage === filter.stage) &&
  (filter.teamId === undefined || row.teamId === filter.teamId)

/** The `ContactStore` in memory. */
export const layer: Layer.Layer<ContactStore, never, Database> = Layer.effect(
  ContactStore,
  Effect.gen(function* () {
    const database = yield* Database

    const find: ContactStore["Service"]["find"] = (scope, id) =>
      database.read((state) =>
        Table.get(state.contacts, id).pipe(
          Option.filter((row) => References.inScope(scope, row)),
          Option.map((row) => show(state, row))
        )
      )

    return ContactStore.of({
      insert: (contact) =>
        database.modify((state) => {
          const [lastNumberId, phoneNumbers] = assignIds(
            state.lastNumberId,
            contact.phoneNumbers.map((entry) => ({ ...entry, id: null }))
          )
          const [row, contacts] = Table.insert(state.contacts, (id): ContactRow => ({
            ...toRow(contact),
            id: ContactId.make(id),
            phoneNumbers
          }))
          const next = addFlagged({ ...state, contacts, lastNumberId }, row)
          return changed(show(next, row), next)
        }),
      find,
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: find,
      update: (contact) =>
        database.modify((state) => {
          const [lastNumberId, phoneNumbers] = assignIds(state.lastNumberId, contact.phoneNumbers)
          const row: ContactRow = { ...toRow(contact), phoneNumbers }
          const contacts = Table.update(state.contacts, contact.id, () => row)
          const next = addFlagged({ ...state, contacts, lastNumberId }, row)
          return changed(show(next, row), next)
        }),
      delete: (scope, id) =>
        database.modify((state) => {
          const row = Option.filter(Table.get(state.contacts, id), (contact) => References.inScope(scope, contact))
          if (Option.isNone(row)) return changed(false, state)
          const calls = Table.where(state.calls, (call) => call.contact?.id === id)
          const events = Table.where(state.calendarEvents, (event) => event.contactId === id)
          return changed(true, {
            ...state,
            contacts: Table.remove(state.contacts, id),
            calls: Table.replace(
              state.calls,
              calls.map((call) => [call.id, { ...call, contact: null }])
            ),
            calendarEvents: Table.replace(
              state.calendarEvents,
              events.map((event) => [event.id, { ...event, contactId: null }])
            )
          })
        }),
      list: (scope, filter, page) =>
        database.read((state) => {
          const rows = Table.where(state.contacts, (row) => References.inScope(scope, row) && matches(row, filter))
          const shown = Page.map(Page.slice(rows.toReversed(), page), (row) => show(state, row))
          return Page.bounded(shown, shorten)
        }),
      idsByNumber: (accountId, phoneNumber) =>
        database.read((state) =>
          Table.where(state.contacts, (row) => row.accountId === accountId && matches(row, { phoneNumber }))
            .slice(0, 2)
            .map((row) => row.id)
        ),
      idsByEmail: (accountId, email) =>
        database.read((state) =>
          Table.where(
            state.contacts,
            (row) =>
              row.accountId === accountId &&
              row.email !== null &&
              EmailAddress.storedKey(row.email) === EmailAddress.storedKey(email)
          )
            .slice(0, 2)
            .map((row) => row.id)
        ),
      listAfter: (accountId, after, limit) =>
        database.read((state) =>
          Table.where(state.contacts, (row) => row.accountId === accountId && (after === null || row.id > after))
            .slice(0, limit)
            .map((row) => show(state, row))
        ),
      touchLastCall: (id, at) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            contacts: Table.update(state.contacts, id, (row) => ({
              ...row,
              lastCallDate: row.lastCallDate === null ? at : DateTime.max(row.lastCallDate, at)
            }))
          })
        )
    })
  })
)
