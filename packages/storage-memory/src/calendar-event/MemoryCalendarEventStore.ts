import { type CalendarEvent, CalendarEventId, isUpcoming } from "@frontdesk/core/calendar-event/CalendarEvent"
import {
  CalendarEventStore,
  type CalendarEventFilter,
  type EventContact,
  type EventCustomer
} from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as ConflictCounts from "@frontdesk/core/calendar-event/ConflictCounts"
import type { CalendarEventKey } from "@frontdesk/core/calendar-event/CalendarEventKey"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { toInterval } from "@frontdesk/core/calendar-event/CalendarEventTimes"
import type { ContactId } from "@frontdesk/core/contact/Contact"
import * as EmailAddress from "@frontdesk/core/values/EmailAddress"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import * as Parts from "../statistics/Parts.ts"
import * as References from "../storage/References.ts"
import type { CalendarEventRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const toRow = ({ team, ...event }: CalendarEvent): CalendarEventRow => ({
  ...event,
  teamId: team === null ? null : team.id
})

const show = (state: State, { teamId, ...event }: CalendarEventRow): CalendarEvent => ({
  ...event,
  team: References.team(state, teamId)
})

const rowOf = (state: State, key: CalendarEventKey): Option.Option<CalendarEventRow> =>
  "id" in key
    ? Table.get(state.calendarEvents, key.id)
    : Option.fromUndefinedOr(Table.where(state.calendarEvents, (row) => row.uuid === key.uuid)[0])

const matches = (row: CalendarEventRow, filter: CalendarEventFilter): boolean =>
  (filter.from === undefined || DateTime.isGreaterThanOrEqualTo(row.startTime, filter.from)) &&
  (filter.until === undefined || DateTime.isLessThan(row.startTime, filter.until)) &&
  (filter.endsAfter === undefined || DateTime.isGreaterThan(row.endTime, filter.endsAfter)) &&
  (filter.contact === undefined || isOfContact(row, filter.contact)) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.eventType === undefined || row.eventType === filter.eventType) &&
  (filter.aiAgentId === undefined || row.aiAgent?.id === filter.aiAgentId) &&
  (filter.teamId === undefined || row.teamId === filter.teamId) &&
  (filter.customerEmail === undefined || EmailAddress.isSame(row.customer.email, filter.customerEmail))

/** Returns the id of a contact, or null when the contact does not exist. */
const existing = (state: State, contactId: ContactId | null): ContactId | null =>
  contactId !== null && Option.isSome(Table.get(state.contacts, contactId)) ? contactId : null

const isOfContact = (row: CalendarEventRow, { contactId, email, phoneNumbers }: EventContact): boolean =>
  isOf(row, { contactId, phoneNumbers }) ||
  (email !== null && email !== "" && EmailAddress.isSame(row.customer.email, email))

const isOf = ({ contactId, customer }: CalendarEventRow, person: EventCustomer): boolean =>
  (contactId !== null && contactId === person.contactId) ||
  (customer.phone !== "" && person.phoneNumbers.includes(customer.phone))

const byStart = (a: CalendarEventRow, b: CalendarEventRow): number =>
  DateTime.Order(a.startTime, b.startTime) || a.id - b.id

/** The `CalendarEventStore` in memory. */
export const layer: Layer.Layer<CalendarEventStore, never, Database> = Layer.effect(
  CalendarEventStore,
  Effect.gen(function* () {
    const database = yield* Database

    const find: CalendarEventStore["Service"]["find"] = (scope, key) =>
      database.read((state) =>
        rowOf(state, key).pipe(
          Option.filter((row) => References.inScope(scope, row)),
          Option.map((row) => show(state, row))
        )
      )

    return CalendarEventStore.of({
      insert: (event) =>
        database.modify((state) => {
          if (Option.isSome(rowOf(state, { uuid: event.uuid }))) return duplicate("CalendarEventStore.insert", "uuid")
          const [row, calendarEvents] = Table.insert(state.calendarEvents, (id) =>
            toRow({ ...event, contactId: existing(state, event.contactId), id: CalendarEventId.make(id) })
          )
          return changed(show(state, row), Parts.ofCalendarEvent({ ...state, calendarEvents }, null, row))
        }),
      find,
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: find,
      findAnywhere: (key) => database.read((state) => Option.map(rowOf(state, key), (row) => show(state, row))),
      update: (event) =>
        database.modify((state) => {
          const before = Option.getOrUndefined(Table.get(state.calendarEvents, event.id))
          if (before === undefined) return changed(undefined, state)
          const { accountId, createdAt, uuid } = before
          const after: CalendarEventRow = { ...toRow(event), uuid, accountId, createdAt }
          const calendarEvents = Table.update(state.calendarEvents, event.id, () => after)
          return changed(undefined, Parts.ofCalendarEvent({ ...state, calendarEvents }, before, after))
        }),
      list: (scope, filter, page) =>
        database.read((state) => {
          const rows = Table.where(
            state.calendarEvents,
            (row) => References.inScope(scope, row) && matches(row, filter)
          )
          return Page.map(Page.slice(rows.toSorted(byStart), page), (row) => show(state, row))
        }),
      idsFrom: (accountId, from) =>
        database.read((state) =>
          Table.where(state.calendarEvents, (row) => row.accountId === accountId && matches(row, { from }))
            .toSorted(byStart)
            .map(({ id }) => id)
        ),
      conflictsFrom: (accountId, from) =>
        database.read((state) =>
          ConflictCounts.of(
            Table.where(state.calendarEvents, (row) => row.accountId === accountId && matches(row, { from })).map(
              ({ externalCalendarsStatus }) => externalCalendarsStatus
            )
          )
        ),
      busy: (accountId, from, until, except) =>
        database.read((state) =>
          Table.where(
            state.calendarEvents,
            (row) =>
              row.accountId === accountId &&
              blocks(row.status) &&
              row.id !== Option.getOrNull(except) &&
              DateTime.isLessThan(row.startTime, until) &&
              DateTime.isGreaterThan(row.endTime, from)
          )
            .toSorted(byStart)
            .map(toInterval)
        ),
      ofCustomer: (accountId, customer, now, limit) =>
        database.read((state) =>
          Table.where(
            state.calendarEvents,
            (row) => row.accountId === accountId && isUpcoming(row, now) && isOf(row, customer)
          )
            .toSorted(byStart)
            .slice(0, limit)
            .map((row) => show(state, row))
        ),
      // Transactions run one after the other, so the calendar needs no lock.
      lockCalendar: () => Effect.void
    })
  })
)
