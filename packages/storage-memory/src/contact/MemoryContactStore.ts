import type { TeamRef } from "@frontdesk/core/access/Team"
import {
  type Contact,
  ContactId,
  type ContactNumber,
  ContactNumberId,
  fullName,
  type NewContactNumber
} from "@frontdesk/core/contact/Contact"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import * as Refs from "../storage/Refs.ts"
import type { ContactRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const toRow = <C extends { readonly team: TeamRef | null }>({ team, ...contact }: C) => ({
  ...contact,
  teamId: team === null ? null : team.id
})

const show = (state: State, { teamId, ...contact }: ContactRow): Contact => ({
  ...contact,
  team: Refs.team(state, teamId)
})

/** Gives ids to the numbers that have none. */
const number = (
  lastId: number,
  numbers: ReadonlyArray<NewContactNumber>
): readonly [lastId: number, numbered: ReadonlyArray<ContactNumber>] => {
  const isNew = numbers.filter((entry) => entry.id === null)
  const numbered = numbers.map((entry) => ({
    ...entry,
    id: entry.id ?? ContactNumberId.make(lastId + 1 + isNew.indexOf(entry))
  }))
  return [lastId + isNew.length, numbered]
}

const contains = (text: string | null, part: string): boolean =>
  text !== null && text.toLowerCase().includes(part.toLowerCase())

const matches = (row: ContactRow, filter: ContactFilter): boolean =>
  (filter.search === undefined ||
    contains(fullName(row), filter.search) ||
    contains(row.email, filter.search) ||
    contains(row.company, filter.search)) &&
  (filter.phoneNumber === undefined || row.phoneNumbers.some((entry) => entry.phoneNumber === filter.phoneNumber)) &&
  (filter.tag === undefined || row.tags.includes(filter.tag)) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.stage === undefined || row.stage === filter.stage) &&
  (filter.teamId === undefined || row.teamId === filter.teamId)

/** Contacts in memory. */
export const layer: Layer.Layer<ContactStore, never, Database> = Layer.effect(
  ContactStore,
  Effect.gen(function* () {
    const database = yield* Database

    const find: ContactStore["Service"]["find"] = (scope, id) =>
      database.read((state) =>
        Table.get(state.contacts, id).pipe(
          Option.filter((row) => Refs.inScope(scope, row)),
          Option.map((row) => show(state, row))
        )
      )

    return ContactStore.of({
      insert: (contact) =>
        database.modify((state) => {
          const [lastNumberId, phoneNumbers] = number(
            state.lastNumberId,
            contact.phoneNumbers.map((entry) => ({ ...entry, id: null }))
          )
          const [row, contacts] = Table.insert(state.contacts, (id): ContactRow => ({
            ...toRow(contact),
            id: ContactId.make(id),
            phoneNumbers
          }))
          return changed(show(state, row), { ...state, contacts, lastNumberId })
        }),
      find,
      // Transactions run one at a time, so that reading holds.
      findForUpdate: find,
      update: (contact) =>
        database.modify((state) => {
          const [lastNumberId, phoneNumbers] = number(state.lastNumberId, contact.phoneNumbers)
          const row: ContactRow = { ...toRow(contact), phoneNumbers }
          const contacts = Table.update(state.contacts, contact.id, () => row)
          return changed(show(state, row), { ...state, contacts, lastNumberId })
        }),
      delete: (scope, id) =>
        database.modify((state) => {
          const row = Option.filter(Table.get(state.contacts, id), (contact) => Refs.inScope(scope, contact))
          return Option.isNone(row)
            ? changed(false, state)
            : changed(true, { ...state, contacts: Table.remove(state.contacts, id) })
        }),
      list: (scope, filter, page) =>
        database.read((state) => {
          const rows = Table.where(state.contacts, (row) => Refs.inScope(scope, row) && matches(row, filter))
          return Page.map(Page.slice(rows.toReversed(), page), (row) => show(state, row))
        }),
      idsByNumber: (accountId, phoneNumber) =>
        database.read((state) =>
          Table.where(state.contacts, (row) => row.accountId === accountId && matches(row, { phoneNumber }))
            .slice(0, 2)
            .map((row) => row.id)
        ),
      isDoNotCall: (accountId, phoneNumber) =>
        database.read(
          (state) =>
            Table.where(
              state.contacts,
              (row) =>
                row.accountId === accountId &&
                row.phoneNumbers.some((entry) => entry.phoneNumber === phoneNumber && entry.doNotCall)
            ).length > 0
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
