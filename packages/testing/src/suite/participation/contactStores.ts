import { ownRows } from "@frontdesk/core/access/Scope"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { CalendarConnectionStore } from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import { page } from "../Pages.ts"
import * as Samples from "../Samples.ts"
import { participation, rolledBack } from "./Participation.ts"

const makeAccount = Effect.suspend(() => Samples.makeAccount())

const numbers = [PhoneNumber.make("+12025550171"), PhoneNumber.make("+12025550172")] as const

/** Before the calls of other tests, so that a sweep changes only the call of its own test. */
const longAgo = Samples.later(-40_000)

export const callStore = participation(
  CallStore,
  Effect.gen(function* () {
    const { id } = yield* makeAccount
    const agent = yield* Samples.makeAgent(id)
    const due = yield* Samples.makeCall(id, agent, { reconcileAt: Samples.now })
    const ended = { status: "completed", endedAt: longAgo, summary: "They agreed.", transcript: "Hello" } as const
    yield* Samples.makeCall(id, agent, ended)
    return { agent, due, scope: ownRows(id) }
  }),
  {
    view: (calls, { due, scope }) =>
      Effect.all([
        calls.list(scope, {}, page(1)),
        rolledBack(
          Effect.map(calls.claim("reconcile", Samples.later(1), Samples.later(9), 10_000), (ids) =>
            ids.includes(due.id)
          )
        )
      ]),
    methods: {
      insert: (calls, { agent, scope }) => calls.insert(Samples.newCall(scope.accountId, agent)),
      find: "reads",
      findForUpdate: "reads",
      findAnywhere: "reads",
      update: (calls, { due }) => calls.update({ ...due, status: "in_progress" }),
      list: "reads",
      countRunning: "reads",
      claim: (calls) => calls.claim("reconcile", Samples.later(1), Samples.later(9), 10_000),
      sweep: (calls) => calls.sweep(Samples.later(-39_000), Samples.rowLimit(100)),
      sweepTranscripts: (calls) => calls.sweepTranscripts(Samples.later(-39_000), Samples.rowLimit(100))
    }
  }
)

export const contactStore = participation(
  ContactStore,
  Effect.flatMap(makeAccount, ({ id }) => Samples.makeContact(id, { phoneNumbers: [Samples.newNumber(numbers[0])] })),
  {
    view: (contacts, { accountId }) =>
      Effect.all([
        contacts.list(ownRows(accountId), {}, page(1)),
        ...numbers.map((number) => contacts.idsByNumber(accountId, number))
      ]),
    methods: {
      insert: (contacts, { accountId }) =>
        contacts.insert(Samples.newContact(accountId, { phoneNumbers: [Samples.newNumber(numbers[1])] })),
      find: "reads",
      findForUpdate: "reads",
      update: (contacts, contact) => contacts.update({ ...contact, firstName: "Jo" }),
      delete: (contacts, { accountId, id }) => contacts.delete(ownRows(accountId), id),
      list: "reads",
      idsByNumber: "reads",
      idsByEmail: "reads",
      listAfter: "reads",
      touchLastCall: (contacts, { id }) => contacts.touchLastCall(id, Samples.later(1))
    }
  }
)

// A sweep deletes one import, so each test has an older one than those before it.
let oldImports = 0

export const contactImportStore = participation(
  ContactImportStore,
  Effect.gen(function* () {
    const { id: accountId } = yield* makeAccount
    const store = yield* ContactImportStore
    const running = yield* store.insert(Samples.newImport(accountId, { status: "running", dueAt: Samples.now }))
    oldImports += 1
    const old = yield* store.insert(
      Samples.newImport(accountId, { status: "finished", updatedAt: Samples.later(-40_000 - oldImports) })
    )
    yield* store.putPart(running, 1, "first_name")
    return { accountId, running, old }
  }),
  {
    view: (store, { accountId, running }) =>
      Effect.all([
        store.list(accountId, page(1)),
        store.partNumbers(running),
        store.part(running, 1),
        store.refused(running, page(1))
      ]),
    methods: {
      insert: (store, { accountId }) => store.insert(Samples.newImport(accountId)),
      find: "reads",
      findForUpdate: "reads",
      update: (store, { running }) => store.update({ ...running, lines: 7 }),
      list: "reads",
      count: "reads",
      putPart: (store, { running }) => store.putPart(running, 2, "Jo"),
      part: "reads",
      partNumbers: "reads",
      deleteParts: (store, { running }) => store.deleteParts(running, 1),
      addRefused: (store, { running }) => store.addRefused(running, [Samples.refusedLine(2)]),
      refused: "reads",
      due: "reads",
      sweep: (store) => store.sweep(Samples.later(-39_000), Samples.rowLimit(100))
    }
  }
)

export const doNotCallStore = participation(
  DoNotCallStore,
  Effect.tap(makeAccount, ({ id }) => Effect.flatMap(DoNotCallStore, (list) => list.add(id, [numbers[0]]))),
  {
    view: (list, { id }) => list.list(id, {}, page(1)),
    methods: {
      add: (list, { id }) => list.add(id, [numbers[1]]),
      remove: (list, { id }) => list.remove(id, [numbers[0]]),
      list: "reads",
      isBlocked: "reads"
    }
  }
)

export const calendarEventStore = participation(
  CalendarEventStore,
  Effect.flatMap(makeAccount, ({ id }) => Samples.makeCalendarEvent(id)),
  {
    view: (events, { accountId }) => events.list(ownRows(accountId), {}, page(1)),
    methods: {
      insert: (events, { accountId }) => events.insert(Samples.newCalendarEvent(accountId)),
      find: "reads",
      findForUpdate: "reads",
      findAnywhere: "reads",
      update: (events, event) => events.update({ ...event, title: "Renamed" }),
      list: "reads",
      idsFrom: "reads",
      conflictsFrom: "reads",
      busy: "reads",
      ofCustomer: "reads",
      lockCalendar: "reads"
    }
  }
)

export const reminderStore = participation(
  ReminderStore,
  Effect.gen(function* () {
    const account = yield* makeAccount
    const [waiting, other] = [
      yield* Samples.makeCalendarEvent(account.id),
      yield* Samples.makeCalendarEvent(account.id)
    ]
    yield* (yield* ReminderStore).schedule(waiting.id, Samples.later(1))
    return { waiting: waiting.id, other: other.id }
  }),
  {
    view: (reminders, { other, waiting }) =>
      Effect.gen(function* () {
        const due = yield* reminders.due(Samples.later(9), 10_000)
        const sent = yield* Effect.forEach([waiting, other], reminders.reminded)
        return { due: due.filter(({ eventId }) => eventId === waiting || eventId === other), sent }
      }),
    methods: {
      schedule: (reminders, { other }) => reminders.schedule(other, Samples.later(1)),
      reminded: "reads",
      drop: (reminders, { waiting }) => reminders.drop(waiting),
      due: "reads",
      // A claim only locks, until the transaction ends.
      claim: "reads",
      nextDue: "reads",
      markSent: (reminders, { waiting }) =>
        reminders.markSent({ eventId: waiting, dueAt: Samples.later(1) }, Samples.later(60))
    }
  }
)

export const calendarConnectionStore = participation(
  CalendarConnectionStore,
  Effect.gen(function* () {
    const connection = Samples.newConnection((yield* makeAccount).id)
    return yield* (yield* CalendarConnectionStore).put(connection, Samples.stored("first"))
  }),
  {
    view: (connections, { accountId }) =>
      Effect.forEach(["google", "apple"] as const, (provider) => connections.find({ accountId, provider })),
    methods: {
      put: (connections, connection) =>
        connections.put({ ...connection, provider: "apple" }, Samples.stored("credentials")),
      find: "reads",
      list: "reads",
      listAll: "reads",
      remove: (connections, connection) => connections.remove(connection),
      secrets: "reads",
      replaceSecret: (connections, connection) =>
        connections.replaceSecret(connection, Samples.stored("first"), Samples.stored("second"))
    }
  }
)
