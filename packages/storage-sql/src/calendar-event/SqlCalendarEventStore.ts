import type { Scope } from "@frontdesk/core/access/Scope"
import { type CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import {
  CalendarEventStore,
  type CalendarEventFilter,
  type EventContact
} from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as ConflictCounts from "@frontdesk/core/calendar-event/ConflictCounts"
import type { CalendarEventKey } from "@frontdesk/core/calendar-event/CalendarEventKey"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import type { Bindings } from "../storage/WriteStatements.ts"
import { Database } from "../storage/Database.ts"
import { mayConflict } from "../migrations/AttentionIndexes.ts"
import { isAhead } from "../migrations/CustomerEvents.ts"
import { isLong, longHours } from "../migrations/EventLists.ts"
import * as Column from "../storage/Column.ts"
import * as IdBlock from "../storage/IdBlock.ts"
import * as LockedRow from "../storage/LockedRow.ts"
import * as LongRead from "../storage/LongRead.ts"
import * as OwnedRow from "../storage/OwnedRow.ts"
import * as OwnedList from "../storage/OwnedList.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import { startsAfter } from "./EventLengthClass.ts"
import { columns, emailKey, CalendarEventRow, ExternalStateRow, select, toEvent } from "./CalendarEventRow.ts"

const IdRow = Schema.Struct({ id: CalendarEventId })

/** Instants stay epoch milliseconds, as the row has them. */
const BusyRow = Schema.Struct({ start: Schema.Int, end: Schema.Int })

/** The `CalendarEventStore` in a SQL database. */
export const layer: Layer.Layer<CalendarEventStore, never, Database> = Layer.effect(
  CalendarEventStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database

    const inserted = database.one("CalendarEventStore.insert", IdRow)
    const insertReturning = WriteStatements.inserter("calendar_event", " RETURNING id")
    const sent = database.send("CalendarEventStore.insert")
    const insert = WriteStatements.inserter("calendar_event")
    const nextId = IdBlock.make(database, "CalendarEventStore.insert", "calendar_event")
    const idOf = (row: WriteStatements.Columns) =>
      nextId === null
        ? Effect.map(inserted(...insertReturning(row)), ({ id }) => id)
        : Effect.flatMap(nextId, (id) => Effect.as(sent(...insert({ id, ...row })), CalendarEventId.make(id)))

    const existing = database.first("CalendarEventStore.insert", Column.Found)
    const existingText = `SELECT 1 AS found FROM contact WHERE contact.id = ?1${dialect.forReference("contact")}`
    const insertEvent = (event: Omit<CalendarEvent, "id">) =>
      Effect.map(
        idOf({
          uuid: event.uuid,
          account_id: event.accountId,
          created_at: dialect.time(event.createdAt),
          ...columns(dialect, event)
        }),
        (id): CalendarEvent => ({ ...event, id })
      )
    // As with calls, a lock keeps an existing contact from being deleted until the event is stored.
    const insertOfContact = Effect.fnUntraced(function* (event: Omit<CalendarEvent, "id">) {
      const isGone = Option.isNone(yield* existing(existingText, [event.contactId]))
      return yield* insertEvent(isGone ? { ...event, contactId: null } : event)
    }, database.atomically("CalendarEventStore.insert"))

    const inScope = OwnedRow.inScope(dialect, "calendar_event")
    const isFound = { id: `${inScope} AND calendar_event.id = ?3`, uuid: `${inScope} AND calendar_event.uuid = ?3` }
    const found = database.lookUp("CalendarEventStore.find", CalendarEventRow)
    const foundIn = (condition: string, params: ReadonlyArray<unknown>) => found(`${select} WHERE ${condition}`, params)
    const locked = LockedRow.first(database, "CalendarEventStore.findForUpdate", {
      row: CalendarEventRow,
      table: "calendar_event",
      select
    })
    const findBy = (first: typeof locked) => (scope: Scope, key: CalendarEventKey) =>
      Effect.map(
        "id" in key
          ? first(isFound.id, [...OwnedRow.params(scope), key.id])
          : first(isFound.uuid, [...OwnedRow.params(scope), key.uuid]),
        Option.map(toEvent)
      )

    const anywhere = database.lookUp("CalendarEventStore.findAnywhere", CalendarEventRow)
    const updated = database.send("CalendarEventStore.update")
    const update = WriteStatements.updater("calendar_event")
    const list = OwnedList.make(database, {
      operation: "CalendarEventStore.list",
      table: "calendar_event",
      order: ["start_time"],
      isIndexed: true,
      direction: "ASC",
      type: "event_type",
      row: CalendarEventRow,
      select: () => select
    })

    const idRows = database.all("CalendarEventStore.idsFrom", IdRow)
    const stateRows = database.all("CalendarEventStore.conflictsFrom", ExternalStateRow)
    const ofCustomer = database.all("CalendarEventStore.ofCustomer", CalendarEventRow)
    const ofCustomerText = `${select} WHERE ${dialect.isOneOfRows("calendar_event.id", idsOfCustomer(dialect))}
      ORDER BY start_time, calendar_event.id LIMIT `
    const busyRows = database.all("CalendarEventStore.busy", BusyRow)

    return CalendarEventStore.of({
      insert: (event) => (event.contactId === null ? insertEvent(event) : insertOfContact(event)),
      find: findBy(foundIn),
      findForUpdate: findBy(locked),
      findAnywhere: (key) =>
        Effect.map(
          "id" in key
            ? anywhere(`${select} WHERE calendar_event.id = ?1`, [key.id])
            : anywhere(`${select} WHERE calendar_event.uuid = ?1`, [key.uuid]),
          Option.map(toEvent)
        ),
      update: (event) => updated(...update(columns(dialect, event), event.id)),
      list: (scope, filter, page) =>
        Effect.map(
          list(
            scope,
            {
              teamId: filter.teamId,
              status: filter.status,
              type: filter.eventType,
              ranges: (bindings, owner) => ranges(dialect, bindings, owner, filter),
              isLookUp: filter.endsAfter !== undefined || filter.contact !== undefined,
              conditions: (bindings) => conditions(bindings, filter)
            },
            page
          ),
          (found) => Page.map(found, toEvent)
        ),
      idsFrom: (accountId, from) =>
        Effect.map(idRows(idsText, [accountId, dialect.time(from)]), (rows) => rows.map(({ id }) => id)),
      conflictsFrom: (accountId, from) =>
        Effect.map(LongRead.by(accountId)(stateRows(statesText, [accountId, dialect.time(from)])), (rows) =>
          ConflictCounts.of(rows.map(({ externalCalendarsStatus }) => externalCalendarsStatus))
        ),
      busy: (accountId, from, until, except) => {
        const params = [
          accountId,
          dialect.time(from),
          dialect.time(until),
          Option.getOrElse(except, () => 0),
          ...startsAfter(from).map(dialect.time)
        ]
        return LongRead.unlessFew(accountId, {
          few: busyRows(fewBusyText, params),
          all: busyRows(busyText, params),
          rowsOf: ({ length }) => length
        })
      },
      ofCustomer: (accountId, { contactId, phoneNumbers }, now, limit) =>
        Effect.map(
          ofCustomer(`${ofCustomerText}${limit}`, [
            accountId,
            dialect.time(now),
            contactId,
            JSON.stringify(phoneNumbers)
          ]),
          (rows) => rows.map(toEvent)
        ),
      lockCalendar: (accountId) => database.lock("CalendarEventStore.lockCalendar", accountId)
    })
  })
)

/**
 * Returns how the events of an owner are found. Those of a contact are looked up. Of the events that end after an instant,
 * some begin at the instant or later, and some of at most a day begin less than a day before it. The longer ones have an
 * index of their own (`migrations/EventLists.ts`).
 */
const ranges = (
  dialect: Dialect,
  bindings: Bindings,
  owner: string,
  { contact, endsAfter, from, until }: CalendarEventFilter
): ReadonlyArray<ReadonlyArray<string>> => {
  const bounds = [
    from === undefined ? "" : `start_time >= ${bindings.add(dialect.time(from))}`,
    until === undefined ? "" : `start_time < ${bindings.add(dialect.time(until))}`
  ].filter((bound) => bound !== "")
  const found = contact === undefined ? owner : isOfContact(dialect, bindings, owner, contact)
  if (endsAfter === undefined) return [[found, ...bounds]]
  const at = bindings.add(dialect.time(endsAfter))
  if (contact !== undefined) return [[found, ...bounds, `end_time > ${at}`]]
  const dayBefore = bindings.add(dialect.time(DateTime.subtract(endsAfter, { hours: longHours })))
  const long = `SELECT id FROM calendar_event
    WHERE ${owner} AND ${isLong(dialect)} AND end_time > ${at} AND start_time <= ${dayBefore}`
  return [
    [owner, ...bounds, `start_time >= ${at}`],
    [owner, ...bounds, `start_time > ${dayBefore}`, `start_time < ${at}`, `end_time > ${at}`],
    [dialect.isOneOfRows("id", long), ...bounds]
  ]
}

/** Returns the condition that an event is of a contact. Each part has an index, and is read by itself. */
const isOfContact = (
  dialect: Dialect,
  bindings: Bindings,
  owner: string,
  { contactId, email, phoneNumbers }: EventContact
): string => {
  const numbers = bindings.add(JSON.stringify(phoneNumbers))
  const parts = [
    `contact_id = ${bindings.add(contactId)}`,
    `${dialect.isOneOfTexts("customer_phone", numbers)} AND customer_phone <> ''`,
    ...(email === null || email === "" ? [] : [`customer_email_key = ${bindings.add(emailKey(email))}`])
  ].map((part) => `SELECT id FROM calendar_event WHERE ${owner} AND ${part}`)
  return dialect.isOneOfRows("id", parts.join(" UNION ALL "))
}

const conditions = (bindings: Bindings, filter: CalendarEventFilter): ReadonlyArray<string> => {
  const email = filter.customerEmail === undefined ? undefined : emailKey(filter.customerEmail)
  return [
    filter.aiAgentId === undefined ? "" : `ai_agent_id = ${bindings.add(filter.aiAgentId)}`,
    email === undefined
      ? ""
      : email === null
        ? "customer_email_key IS NULL"
        : `customer_email_key = ${bindings.add(email)}`
  ].filter((condition) => condition !== "")
}

const idsText = `SELECT id FROM calendar_event WHERE account_id = ?1 AND start_time >= ?2 ORDER BY start_time, id`

/** Only rows that may have a conflict are read. `ConflictCounts` decides. */
const statesText = `SELECT external_calendars_status FROM calendar_event WHERE account_id = ?1 AND start_time >= ?2
  AND ${mayConflict}`

/**
 * Returns the `SELECT` of the ids of a customer's events that are ahead: of the contact, and of the phone numbers. Each
 * half repeats the condition of its index (`migrations/CustomerEvents.ts`).
 *
 * Parameters: account, now, contact, and the phone numbers as a JSON array.
 */
const idsOfCustomer = (dialect: Dialect): string =>
  ["contact_id = ?3", `${dialect.isOneOfTexts("customer_phone", "?4")} AND customer_phone <> ''`]
    .map(
      (isOf) => `SELECT id FROM calendar_event
        WHERE account_id = ?1 AND ${isOf} AND ${isAhead} AND end_time > ?2`
    )
    .join(" UNION ALL ")

/**
 * Reads one range of the index for each length class (see `EventLengthClass.ts`), with one `SELECT` for each class. For
 * a join with a table of classes, PostgreSQL would read the index of the account from its beginning.
 *
 * The `coalesce` changes no result. It keeps PostgreSQL 18 from using the end as a bound of the index: it would estimate one
 * search of the index for each start, and read all earlier events of the account by another index instead.
 *
 * Parameters: account, from, until, the event to leave out, then the instant after which an event of each class begins.
 */
const busyText = `${startsAfter(DateTime.makeUnsafe(0))
  .map(
    (_, busyClass) => `SELECT start_time AS start, end_time AS "end", id FROM calendar_event
      WHERE account_id = ?1 AND busy_class = ${busyClass} AND start_time > ?${busyClass + 5} AND start_time < ?3
        AND coalesce(end_time, start_time) > ?2 AND id <> ?4`
  )
  .join(" UNION ALL ")} ORDER BY start, id`

/** Reads enough to find out whether there are more than `maxExamined` rows (D-LITE-10). */
const fewBusyText = `${busyText} LIMIT ${LongRead.probeRows}`
