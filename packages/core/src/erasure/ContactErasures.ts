import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { NotOwner } from "../access/AccessError.ts"
import type { AccountId } from "../access/Account.ts"
import type { Principal } from "../access/Principal.ts"
import { ownRows } from "../access/Scope.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import * as CalendarWebhookEvent from "../calendar-event/CalendarWebhookEvent.ts"
import * as CallWebhookEvent from "../call/CallWebhookEvent.ts"
import { type CalendarEvent, type CalendarEventId, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import type { CallId } from "../call/Call.ts"
import { isTerminal } from "../call/CallStatus.ts"
import { CallStore } from "../call/CallStore.ts"
import * as ErasedCall from "../call/ErasedCall.ts"
import { ContactImportStore } from "../contact-file/ContactImportStore.ts"
import { type Contact, ContactId } from "../contact/Contact.ts"
import type { ContactNotFound } from "../contact/ContactError.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { requireOwn } from "../contact/OwnContact.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { OutboxWork } from "../outbox/OutboxTask.ts"
import { ReminderStore } from "../reminder/ReminderStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as Wire from "../values/Wire.ts"
import { ContactRecordStore } from "./ContactRecordStore.ts"
import { ContactErasureStore, type ErasureStep, type OwnedRecord } from "./ContactErasureStore.ts"
import * as ErasedCalendarEvent from "./ErasedCalendarEvent.ts"
import { ContactInCall } from "./ErasureError.ts"
import { EraseContact, type ErasureReport, Remaining } from "./ErasureReport.ts"
import * as ErasureSubject from "./ErasureSubject.ts"
import * as IdentifyingSubject from "./IdentifyingSubject.ts"

/** How many records one transaction erases, and how many rows one step examines. */
const [batch, examined] = [50, 500]

/** Returns the external calendars that have a copy of an event. */
const providersOf = ({ externalCalendars }: CalendarEvent): ReadonlyArray<CalendarProviderKey> =>
  CalendarProviderKey.literals.filter((provider) => externalCalendars[provider] !== undefined)

const nothing = {
  calls: 0,
  calendarEvents: 0,
  toolCalls: 0,
  mails: 0,
  deliveries: 0,
  storedAnswers: 0,
  refusedLines: 0
}

/** The body that a delivery of an erased subject has from then on. */
const erasedBody = Utf8.encode(JSON.stringify({ erased: true }))

const auditedOf = (accountId: AccountId, id: ContactId): AuditTrail.Audited => ({ accountId, type: "contact", id })

/** Returns the changes of an entry: how many records of each kind were erased. It has nothing of the person (D-AUD-4). */
const factsOf = (counts: Readonly<Record<string, number>>): FieldChanges.Changes =>
  FieldChanges.facts(Record.mapKeys(counts, Wire.snakeKey))

const inputs: Input.Inputs<ContactErasures["Service"]> = { erase: [{ id: ContactId }, { input: EraseContact }] }

/**
 * Erases one contact with everything that other records store of the person (D-ERASE-1).
 *
 * It works in small transactions, each of which may be repeated, and deletes the contact in the last one. After a crash the
 * same request continues and ends in the same state.
 */
export class ContactErasures extends Context.Service<
  ContactErasures,
  {
    /**
     * Erases a contact that the caller's account owns. Fails with `ContactInCall`, and changes nothing, while a call of
     * the contact has not ended.
     */
    readonly erase: (
      id: ContactId,
      input: EraseContact
    ) => Effect.Effect<
      ErasureReport,
      ContactNotFound | ContactInCall | NotOwner | ValidationError | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/erasure/ContactErasures") {
  /** Needs the stores of one storage. */
  static readonly layer = Layer.effect(
    ContactErasures,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const calls = yield* CallStore
      const contacts = yield* ContactStore
      const events = yield* CalendarEventStore
      const imports = yield* ContactImportStore
      const outbox = yield* Outbox
      const records = yield* ContactRecordStore
      const reminders = yield* ReminderStore
      const store = yield* ContactErasureStore
      const transaction = yield* Transaction
      const { identifying, withWritings } = yield* IdentifyingSubject.make

      /** Returns a contact of the caller's account, and locks it until the transaction ends. */
      const lock = (id: ContactId) => requireOwn(contacts, id, "delete", contacts.findForUpdate)

      /** Returns all records that a query returns page by page. */
      const every = Effect.fnUntraced(function* <Id>(
        read: (after: Id | null) => Effect.Effect<ReadonlyArray<OwnedRecord<Id>>, StorageError>
      ) {
        const all: Array<OwnedRecord<Id>> = []
        while (true) {
          const found = yield* read(all.at(-1)?.id ?? null)
          all.push(...found)
          if (found.length < examined) return all
        }
      })

      const callsOf = (id: ContactId) => every<CallId>((after) => store.calls(id, after, examined))

      const eventsOf = (id: ContactId) => every<CalendarEventId>((after) => store.calendarEvents(id, after, examined))

      const requireEnded = Effect.fnUntraced(function* (found: ReadonlyArray<OwnedRecord<CallId>>) {
        for (const { accountId, id } of found) {
          const call = yield* calls.find(ownRows(accountId), { id })
          if (Option.isSome(call) && !isTerminal(call.value.status))
            return yield* new ContactInCall({ callId: call.value.callId })
        }
      })

      const eraseCall = Effect.fnUntraced(function* ({ id }: OwnedRecord<CallId>) {
        const found = yield* calls.findForUpdate({ id })
        if (Option.isNone(found) || ErasedCall.isErased(found.value)) return 0
        if (!isTerminal(found.value.status)) return yield* new ContactInCall({ callId: found.value.callId })
        yield* calls.update(ErasedCall.erase(found.value))
        return 1
      })

      /** Erases one event, and plans the writes that replace its copies in external calendars. */
      const eraseEvent = Effect.fnUntraced(function* ({ accountId, id }: OwnedRecord<CalendarEventId>) {
        const found = yield* events.findForUpdate(ownRows(accountId), { id })
        if (Option.isNone(found) || ErasedCalendarEvent.isErased(found.value)) return 0
        yield* events.update(ErasedCalendarEvent.erase(found.value, yield* DateTime.now))
        yield* reminders.drop(id)
        yield* outbox.add(
          accountId,
          providersOf(found.value).map((provider): OutboxWork => ({
            _tag: "SyncEvent",
            provider,
            eventId: id,
            resolution: "overwrite"
          }))
        )
        return 1
      })

      /** Runs an effect for each item, in transactions of {@link batch} items. Returns the sum of the results. */
      const inBatches = Effect.fnUntraced(function* <A, E>(
        items: ReadonlyArray<A>,
        each: (items: ReadonlyArray<A>) => Effect.Effect<number, E>
      ) {
        let sum = 0
        for (let start = 0; start < items.length; start += batch)
          sum += yield* transaction.run(each(items.slice(start, start + batch)))
        return sum
      })

      /** Runs steps until the last one, each in a transaction of its own. Returns how many rows they changed. */
      const untilLast = Effect.fnUntraced(function* (
        step: (after: string | null) => Effect.Effect<ErasureStep, StorageError>
      ) {
        let [sum, after]: [number, string | null] = [0, null]
        do {
          const done: ErasureStep = yield* transaction.run(step(after))
          sum += done.count
          after = done.after
        } while (after !== null)
        return sum
      })

      /** Clears the deliveries of each account about its records. */
      const clearDeliveries = Effect.fnUntraced(function* (
        about: ReadonlyArray<{ readonly accountId: AccountId; readonly subject: string }>
      ) {
        let sum = 0
        for (const [accountId, records] of Map.groupBy(about, (record) => record.accountId))
          for (const some of Arr.chunksOf(
            records.map(({ subject }) => subject),
            batch
          ))
            sum += yield* untilLast((after) => store.clearDeliveries(accountId, some, erasedBody, after, examined))
        return sum
      })

      /** Clears the stored answers of each account that owns one of the records. */
      const clearAnswers = Effect.fnUntraced(function* (records: ReadonlyArray<{ readonly accountId: AccountId }>) {
        let sum = 0
        for (const accountId of new Set(records.map((record) => record.accountId)))
          sum += yield* untilLast((after) => store.clearAnswers(accountId, after, examined))
        return sum
      })

      /**
       * Returns the function that erases records of a batch. For each other account that owns some of them, its log gets an
       * entry with their number (D-AUD-3).
       */
      const erasing =
        <Id, E>(
          { accountId: own, contactId }: ErasureSubject.ErasureSubject,
          name: "calls" | "calendarEvents",
          each: (item: OwnedRecord<Id>) => Effect.Effect<number, E>
        ) =>
        (items: ReadonlyArray<OwnedRecord<Id>>): Effect.Effect<number, E | StorageError> =>
          Effect.gen(function* () {
            const counts = new Map<AccountId, number>()
            for (const item of items) {
              const count = yield* each(item)
              if (count > 0) counts.set(item.accountId, (counts.get(item.accountId) ?? 0) + count)
            }
            for (const [accountId, count] of counts) {
              if (accountId !== own)
                yield* audit.record(
                  "contactErasures.erase",
                  auditedOf(accountId, contactId),
                  factsOf({ [name]: count })
                )
            }
            return [...counts.values()].reduce((sum, count) => sum + count, 0)
          })

      /** Erases everything of the contact except the contact itself. */
      const traces = Effect.fnUntraced(function* (subject: ErasureSubject.ErasureSubject) {
        const own = yield* withWritings(yield* identifying(subject))
        while ((yield* transaction.run(store.link(own, batch))) > 0) continue
        const ownCalls = yield* callsOf(subject.contactId)
        yield* requireEnded(ownCalls)
        // Recorded before the first change, because a crash may keep the erasure from its end.
        const { accountId: owner, contactId } = subject
        yield* transaction.run(audit.record("contactErasures.begin", auditedOf(owner, contactId)))
        const ownEvents = yield* eventsOf(subject.contactId)
        const counts = {
          calls: yield* inBatches(ownCalls, erasing(subject, "calls", eraseCall)),
          calendarEvents: yield* inBatches(ownEvents, erasing(subject, "calendarEvents", eraseEvent)),
          toolCalls:
            (yield* inBatches(ownCalls, (some) =>
              store.clearToolCalls({ calls: some.map(({ id }) => id), calendarEvents: [] })
            )) +
            (yield* inBatches(ownEvents, (some) =>
              store.clearToolCalls({ calls: [], calendarEvents: some.map(({ id }) => id) })
            )),
          mails: yield* inBatches(ownEvents, (some) => store.dropMails(some.map(({ id }) => id))),
          deliveries: yield* clearDeliveries([
            ...ownCalls.map(({ accountId, id }) => ({ accountId, subject: CallWebhookEvent.subjectOf(id) })),
            ...ownEvents.map(({ accountId, id }) => ({ accountId, subject: CalendarWebhookEvent.subjectOf(id) }))
          ]),
          storedAnswers: yield* clearAnswers([subject, ...ownCalls, ...ownEvents]),
          refusedLines: yield* untilLast((after) => store.dropRefused(subject, after, examined))
        }
        return { counts, calls: ownCalls, events: ownEvents, writings: own.writings }
      })

      const reportOf = Effect.fnUntraced(function* (
        { accountId, id, phoneNumbers, team }: Contact,
        counts: typeof nothing,
        erased: ReadonlyArray<CalendarEvent>,
        hasShared: boolean
      ) {
        const now = yield* DateTime.now
        const { unfinished } = yield* imports.count(accountId)
        const isLeft = {
          do_not_call_list: phoneNumbers.some(({ doNotCall }) => doNotCall),
          sent_webhooks: true,
          sent_mails: true,
          provider_data: true,
          external_calendars: erased.some((event) => providersOf(event).length > 0),
          unfinished_imports: unfinished > 0,
          shared_numbers: hasShared,
          team_answers: team !== null,
          backups: true
        } satisfies { readonly [Name in (typeof Remaining.literals)[number]]: boolean }
        const report: ErasureReport = {
          contactId: id,
          ...counts,
          futureCalendarEvents: erased.filter(({ endTime }) => DateTime.isGreaterThan(endTime, now)).length,
          remaining: Remaining.literals.filter((name) => isLeft[name])
        }
        return report
      })

      /**
       * Deletes the contact, after everything else was erased. Returns whether it has numbers or addresses that another contact
       * has too. Returns none when a call, an event or a number was added meanwhile. Then everything is looked through again.
       */
      const finish = Effect.fnUntraced(
        function* (id: ContactId, found: Effect.Success<ReturnType<typeof traces>>, counts: typeof nothing) {
          const contact = ErasureSubject.of(yield* lock(id))
          // Without another look at all texts, which would keep other writers waiting.
          const own = yield* identifying({ ...contact, writings: found.writings })
          const isComplete =
            (yield* store.link(own, batch)) === 0 &&
            (yield* callsOf(id)).length === found.calls.length &&
            (yield* eventsOf(id)).length === found.events.length
          if (!isComplete) return Option.none()
          yield* contacts.delete(ownRows(own.accountId), id)
          // The deletion has waited for transactions that were storing a call or an event of the contact.
          const left = [...(yield* records.calls(own, 1)), ...(yield* records.calendarEvents(own, 1))]
          if (left.length > 0) return yield* new AddedMeanwhile({})
          yield* audit.record("contactErasures.erase", auditedOf(own.accountId, id), factsOf(counts))
          return Option.some(isNarrower(own, contact))
        },
        transaction.run,
        Effect.catchTag("AddedMeanwhile", () => Effect.succeedNone)
      )

      return Input.service(ContactErasures, inputs, {
        erase: Tracing.operation("ContactErasures.erase")(function* (id) {
          let counts = nothing
          while (true) {
            const contact = yield* transaction.run(lock(id))
            const found = yield* traces(ErasureSubject.of(contact))
            counts = Record.map(counts, (count, name) => count + found.counts[name])
            const erased = yield* Effect.forEach(found.events, (event) =>
              events.find(ownRows(event.accountId), { id: event.id })
            )
            const hasShared = yield* finish(id, found, counts)
            if (Option.isNone(hasShared)) continue
            yield* outbox.notify
            return yield* reportOf(contact, counts, erased.flatMap(Option.toArray), hasShared.value)
          }
        })
      })
    })
  )
}

/** A call or an event of the contact was stored while it was deleted. The deletion is undone. */
class AddedMeanwhile extends Schema.TaggedError<AddedMeanwhile>("@frontdesk/core/erasure/AddedMeanwhile")(
  "AddedMeanwhile",
  {}
) {}

/** Returns whether a person has fewer numbers or addresses than another. */
const isNarrower = (one: ErasureSubject.ErasureSubject, other: ErasureSubject.ErasureSubject): boolean =>
  one.numbers.length < other.numbers.length || one.emails.length < other.emails.length
