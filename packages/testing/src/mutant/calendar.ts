import { ownRows } from "@frontdesk/core/access/Scope"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarEventUuid, type ExternalStatus } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as ConflictCounts from "@frontdesk/core/calendar-event/ConflictCounts"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import {
  acceptingDuplicates,
  justAfter,
  justBefore,
  mutantsOf,
  reversed,
  reversedPage,
  wholeSeconds,
  withoutLock
} from "./Mutant.ts"

const firstPage = { page: 1, limit: 100 }

/** Makes a mutant whose conflicts are the copies with these statuses. */
const countingStatuses =
  (...statuses: ReadonlyArray<ExternalStatus>) =>
  (store: CalendarEventStore["Service"]): Partial<CalendarEventStore["Service"]> => ({
    conflictsFrom: (accountId, from) =>
      Effect.map(store.list(ownRows(accountId), { from }, firstPage), ({ items }) =>
        ConflictCounts.of(
          items.map(({ externalCalendarsStatus }) =>
            Record.map(externalCalendarsStatus, (state) => ({
              ...state,
              status: statuses.includes(state.status) ? ("conflict" as const) : ("synced" as const)
            }))
          )
        )
      )
  })

/** Mutants of `CalendarEventStore`. */
export const calendarEventStore = mutantsOf(CalendarEventStore, {
  "insert stores the start in whole seconds": (store) => ({
    insert: (event) => store.insert({ ...event, startTime: wholeSeconds(event.startTime) })
  }),
  "insert does not store the copies in external calendars": (store) => ({
    insert: (event) =>
      Effect.map(store.insert({ ...event, externalCalendars: {} }), (row) => ({
        ...row,
        externalCalendars: event.externalCalendars
      }))
  }),
  "insert accepts a UUID that exists": (store) => ({
    insert: acceptingDuplicates(store.insert, (event) => ({
      ...event,
      uuid: CalendarEventUuid.make(globalThis.crypto.randomUUID())
    }))
  }),
  "find ignores the scope": (store) => ({ find: (_scope, key) => store.findAnywhere(key) }),
  "find leaves out the events of the teams": (store) => ({
    find: (scope, key) => store.find({ ...scope, teamIds: [] }, key)
  }),
  "find does not know UUIDs": (store) => ({
    find: (scope, key) => ("id" in key ? store.find(scope, key) : Effect.succeedNone)
  }),
  "findForUpdate ignores the scope": (store) => ({ findForUpdate: (_scope, key) => store.findAnywhere(key) }),
  "findForUpdate does not lock the event": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "findAnywhere returns none": () => ({ findAnywhere: () => Effect.succeedNone }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update does not replace the agent": (store) => ({
    update: (event) =>
      Effect.flatMap(store.findAnywhere({ id: event.id }), (stored) =>
        store.update({ ...event, aiAgent: Option.getOrElse(stored, () => event).aiAgent })
      )
  }),
  "an event shows the team under its former name": (store) => {
    const names = new Map<number, string>()
    return {
      insert: (event) =>
        Effect.tap(store.insert(event), ({ team }) => Effect.sync(() => team && names.set(team.id, team.name))),
      find: (scope, key) =>
        Effect.map(
          store.find(scope, key),
          Option.map((event) => ({
            ...event,
            team: event.team && { ...event.team, name: names.get(event.team.id) ?? event.team.name }
          }))
        )
    }
  },
  "list is in the order of insertion": (store) => ({
    list: (scope, filter, page) =>
      Effect.map(store.list(scope, filter, page), (found) => ({
        ...found,
        items: found.items.toSorted((a, b) => a.id - b.id)
      }))
  }),
  "list is in reverse order": (store) => ({
    list: (scope, filter, page) => reversedPage(store.list(scope, filter, page))
  }),
  "list leaves out the events of the teams": (store) => ({
    list: (scope, filter, page) => store.list({ ...scope, teamIds: [] }, filter, page)
  }),
  "list leaves out an event that starts at `from`": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, from: filter.from && justAfter(filter.from) }, page)
  }),
  "list includes an event that ends at `endsAfter`": (store) => ({
    list: (scope, filter, page) =>
      store.list(scope, { ...filter, endsAfter: filter.endsAfter && justBefore(filter.endsAfter) }, page)
  }),
  "list leaves out an event that began a day before `endsAfter`": (store) => ({
    list: (scope, filter, page) =>
      store.list(scope, { from: filter.endsAfter && DateTime.subtract(filter.endsAfter, { days: 1 }), ...filter }, page)
  }),
  "list finds the events of a contact only by the contact": (store) => ({
    list: (scope, filter, page) =>
      store.list(
        scope,
        { ...filter, contact: filter.contact && { ...filter.contact, phoneNumbers: [], email: null } },
        page
      )
  }),
  "list ignores the e-mail address of a contact": (store) => ({
    list: (scope, filter, page) =>
      store.list(scope, { ...filter, contact: filter.contact && { ...filter.contact, email: null } }, page)
  }),
  "list includes an event that starts at `until`": (store) => ({
    list: (scope, filter, page) =>
      store.list(scope, { ...filter, until: filter.until && justAfter(filter.until) }, page)
  }),
  "list ignores the status": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, status: undefined }, page)
  }),
  "list ignores the type": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, eventType: undefined }, page)
  }),
  "list ignores the agent": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, aiAgentId: undefined }, page)
  }),
  "list ignores the team": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, teamId: undefined }, page)
  }),
  "list ignores the customer's address": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, customerEmail: undefined }, page)
  }),
  "list distinguishes upper and lower case of the customer's address": (store) => ({
    list: (scope, filter, page) =>
      Effect.map(store.list(scope, filter, page), (found) => {
        const { customerEmail } = filter
        const items = found.items.filter(
          ({ customer }) => customerEmail === undefined || customer.email === customerEmail
        )
        return { ...found, items, count: items.length }
      })
  }),
  "conflictsFrom leaves out an event that starts at the instant": (store) => ({
    conflictsFrom: (accountId, from) => store.conflictsFrom(accountId, justAfter(from))
  }),
  "conflictsFrom includes an event that starts earlier": (store) => ({
    conflictsFrom: (accountId, from) => store.conflictsFrom(accountId, justBefore(from))
  }),
  "conflictsFrom has a count of 0 for a calendar without conflicts": (store) => ({
    conflictsFrom: (accountId, from) =>
      Effect.map(store.conflictsFrom(accountId, from), (counts) => ({ apple: 0, google: 0, outlook: 0, ...counts }))
  }),
  "conflictsFrom leaves out copies that a person has deleted": countingStatuses("conflict"),
  "conflictsFrom leaves out copies that a person has changed": countingStatuses("gone"),
  "conflictsFrom counts every copy that differs from its event": countingStatuses(
    "conflict",
    "gone",
    "kept",
    "failed",
    "pending"
  ),
  "conflictsFrom counts the events of the teams": (store) => ({
    conflictsFrom: Effect.fnUntraced(function* (accountId, from) {
      const own = yield* store.list(ownRows(accountId), { from }, firstPage)
      const teamIds = own.items.flatMap(({ team }) => (team === null ? [] : [team.id]))
      const { items } = yield* store.list({ accountId, teamIds }, { from }, firstPage)
      return ConflictCounts.of(items.map(({ externalCalendarsStatus }) => externalCalendarsStatus))
    })
  }),
  "idsFrom leaves out an event that starts at the instant": (store) => ({
    idsFrom: (accountId, from) => store.idsFrom(accountId, justAfter(from))
  }),
  "idsFrom includes an event that starts earlier": (store) => ({
    idsFrom: (accountId, from) => store.idsFrom(accountId, justBefore(from))
  }),
  "idsFrom is in reverse order": (store) => ({
    idsFrom: (accountId, from) => reversed(store.idsFrom(accountId, from))
  }),
  "busy includes an event that ends at `from`": (store) => ({
    busy: (accountId, from, until, except) => store.busy(accountId, justBefore(from), until, except)
  }),
  "busy includes an event that starts at `until`": (store) => ({
    busy: (accountId, from, until, except) => store.busy(accountId, from, justAfter(until), except)
  }),
  "busy leaves out an event that began before `from`": (store) => ({
    busy: (accountId, from, until, except) =>
      Effect.map(store.busy(accountId, from, until, except), (busy) =>
        busy.filter(({ start }) => start >= DateTime.toEpochMillis(from))
      )
  }),
  "busy does not leave out the given event": (store) => ({
    busy: (accountId, from, until) => store.busy(accountId, from, until, Option.none())
  }),
  "busy is in reverse order": (store) => ({
    busy: (accountId, from, until, except) => reversed(store.busy(accountId, from, until, except))
  }),
  "busy includes cancelled events": (store) => ({
    busy: (accountId, from, until, except) =>
      Effect.gen(function* () {
        const busy = yield* store.busy(accountId, from, until, except)
        const { items } = yield* store.list(
          ownRows(accountId),
          { from, until, status: "cancelled" },
          { page: 1, limit: 100 }
        )
        const cancelled = items.map(({ endTime, startTime }) => ({
          start: DateTime.toEpochMillis(startTime),
          end: DateTime.toEpochMillis(endTime)
        }))
        return [...busy, ...cancelled].toSorted((a, b) => a.start - b.start)
      })
  }),
  "busy reads the calendar before it was locked": (store) => ({ busy: withoutLock(store.busy) })
})

/** Mutants of `ReminderStore`. */
export const reminderStore = mutantsOf(ReminderStore, {
  "schedule has no effect on a reminder that waits": (store) => {
    const scheduled = new Set<number>()
    return {
      schedule: (eventId, dueAt) =>
        scheduled.has(eventId)
          ? Effect.void
          : Effect.andThen(
              Effect.sync(() => scheduled.add(eventId)),
              store.schedule(eventId, dueAt)
            )
    }
  },
  "schedule makes a reminder due again that was sent for the same time": (store) => ({
    schedule: (eventId, dueAt) =>
      store.schedule(eventId, dueAt).pipe(Effect.andThen(store.schedule(eventId, justAfter(dueAt))))
  }),
  "schedule stores whole seconds": (store) => ({
    schedule: (eventId, dueAt) => store.schedule(eventId, wholeSeconds(dueAt))
  }),
  "reminded is empty": () => ({ reminded: () => Effect.succeed([]) }),
  "drop has no effect": () => ({ drop: () => Effect.void }),
  "due returns a reminder a millisecond early": (store) => ({
    due: (now, limit, after) => store.due(justAfter(now), limit, after)
  }),
  "due returns a reminder a millisecond late": (store) => ({
    due: (now, limit, after) => store.due(justBefore(now), limit, after)
  }),
  "due ignores the limit": (store) => ({ due: (now, _limit, after) => store.due(now, 10_000, after) }),
  "due is in reverse order": (store) => ({ due: (now, limit, after) => reversed(store.due(now, limit, after)) }),
  "due ignores `after`": (store) => ({ due: (now, limit) => store.due(now, limit) }),
  "claim returns none": () => ({ claim: () => Effect.succeedNone }),
  "claim returns the given due time": (store) => ({
    claim: (now, reminders, waits) =>
      Effect.map(
        store.claim(now, reminders, waits),
        Option.map((claimed) => reminders.find(({ eventId }) => eventId === claimed.eventId) ?? claimed)
      )
  }),
  "claim returns a reminder that was not given": (store) => ({
    claim: (now, _reminders, waits) => Effect.flatMap(store.due(now, 1_000), (all) => store.claim(now, all, waits))
  }),
  "claim returns the first of the given reminders": (store) => ({
    claim: (now, reminders, waits) => store.claim(now, reminders.slice(0, 1), waits)
  }),
  "claim returns a reminder that is not due": (store) => ({
    claim: (now, reminders, waits) => store.claim(DateTime.add(now, { days: 1 }), reminders, waits)
  }),
  "nextDue includes the instant": (store) => ({ nextDue: (after) => store.nextDue(justBefore(after)) }),
  "nextDue returns none": () => ({ nextDue: () => Effect.succeedNone }),
  "markSent returns true for a reminder that was sent": (store) => ({
    markSent: (reminder, startTime) => Effect.as(store.markSent(reminder, startTime), true)
  }),
  "markSent has no effect": () => ({ markSent: () => Effect.succeed(true) }),
  "markSent marks a reminder that was moved": (store) => ({
    markSent: (reminder, startTime) =>
      Effect.flatMap(store.due(DateTime.makeUnsafe(8.64e15), 1_000), (all) =>
        store.markSent(all.find(({ eventId }) => eventId === reminder.eventId) ?? reminder, startTime)
      )
  }),
  "markSent stores the due time as the start": (store) => ({
    markSent: (reminder) => store.markSent(reminder, reminder.dueAt)
  })
})

/** Mutants of `CalendarConnectionStore`. */
export const calendarConnectionStore = mutantsOf(CalendarConnectionStore, {
  "put replaces the creation time": (store) => ({
    put: (connection, credentials) => store.remove(connection).pipe(Effect.andThen(store.put(connection, credentials)))
  }),
  "put does not replace the credentials": (store) => ({
    put: (connection, credentials) =>
      Effect.flatMap(store.find(connection), (found) =>
        Effect.tap(store.put(connection, credentials), () =>
          Option.isSome(found)
            ? store.replaceSecret(
                connection,
                credentials,
                Redacted.make(StoredText.make(Redacted.value(found.value.credentials)))
              )
            : Effect.void
        )
      )
  }),
  "find ignores the provider": (store) => {
    let last: Parameters<typeof store.find>[0] | undefined
    return {
      put: (connection, credentials) => {
        last = connection
        return store.put(connection, credentials)
      },
      find: (key) => store.find({ ...key, provider: last?.provider ?? key.provider })
    }
  },
  "list is in reverse order": (store) => ({ list: (accountId) => reversed(store.list(accountId)) }),
  "listAll ignores the limit": (store) => ({ listAll: (after) => store.listAll(after, 10_000) }),
  "listAll ignores `after`": (store) => ({ listAll: (_after, limit) => store.listAll(null, limit) }),
  "listAll is in reverse order": (store) => ({ listAll: (after, limit) => reversed(store.listAll(after, limit)) }),
  "remove has no effect": () => ({ remove: () => Effect.succeed(true) }),
  "remove returns true for a connection that does not exist": (store) => ({
    remove: (key) => Effect.as(store.remove(key), true)
  }),
  "secrets ignores the limit": (store) => ({ secrets: (after) => store.secrets(after, 10_000) }),
  "secrets ignores `after`": (store) => ({ secrets: (_after, limit) => store.secrets(null, limit) }),
  "secrets is in reverse order": (store) => ({ secrets: (after, limit) => reversed(store.secrets(after, limit)) }),
  "replaceSecret has no effect": () => ({ replaceSecret: () => Effect.succeed(true) }),
  "replaceSecret replaces every text": (store) => ({
    replaceSecret: (key, _before, after) =>
      Effect.flatMap(store.find(key), (found) =>
        Option.isNone(found) ? Effect.succeed(false) : store.replaceSecret(key, found.value.credentials, after)
      )
  }),
  "replaceSecret changes the update time": (store) => ({
    replaceSecret: (key, before, after) =>
      Effect.gen(function* () {
        const isReplaced = yield* store.replaceSecret(key, before, after)
        const found = yield* store.find(key)
        if (isReplaced && Option.isSome(found)) {
          const { connection } = found.value
          yield* store.put({ ...connection, updatedAt: justAfter(connection.updatedAt) }, after)
        }
        return isReplaced
      })
  })
})
