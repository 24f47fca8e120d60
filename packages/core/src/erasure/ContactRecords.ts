import * as CalendarWebhookEvent from "../calendar-event/CalendarWebhookEvent.ts"
import * as CallWebhookEvent from "../call/CallWebhookEvent.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NotOwner } from "../access/AccessError.ts"
import type { Principal } from "../access/Principal.ts"
import { ownRows } from "../access/Scope.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { maxShownToolCalls, shown } from "../call/CallDetail.ts"
import { CallStore } from "../call/CallStore.ts"
import { ToolCallStore } from "../call/ToolCallStore.ts"
import { ContactId } from "../contact/Contact.ts"
import type { ContactNotFound } from "../contact/ContactError.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { requireOwn } from "../contact/OwnContact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { type ContactRecord, maxBytes, maxRecords, type RecordedDelivery } from "./ContactRecord.ts"
import { ContactRecordStore, type SentDelivery } from "./ContactRecordStore.ts"
import * as ErasureSubject from "./ErasureSubject.ts"
import * as IdentifyingSubject from "./IdentifyingSubject.ts"

const parsePayload = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** Returns a delivery as an export has it. A body that is not JSON is null. */
const recorded = ({ body, createdAt, eventType, id, status, webhookId }: SentDelivery): RecordedDelivery => ({
  id,
  webhookId,
  eventType,
  status,
  createdAt,
  payload: Option.getOrNull(parsePayload(Utf8.decode(body)))
})

/**
 * Reads records one after the other until there are {@link maxRecords}, or {@link maxBytes} bytes of JSON. A record that was
 * deleted meanwhile is left out.
 *
 * @param found the keys of the records, at most one more than {@link maxRecords}
 */
const take = Effect.fnUntraced(function* <Key, A, E, R>(
  found: ReadonlyArray<Key>,
  read: (key: Key) => Effect.Effect<Option.Option<A>, E, R>
) {
  const items: Array<A> = []
  let [bytes, examined] = [0, 0]
  for (const key of found.slice(0, maxRecords)) {
    if (bytes >= maxBytes) break
    examined += 1
    const one = yield* read(key)
    if (Option.isNone(one)) continue
    items.push(one.value)
    bytes += Utf8.encode(JSON.stringify(one.value)).length
    yield* Effect.yieldNow
  }
  return { items, isTruncated: examined < found.length }
})

const inputs: Input.Inputs<ContactRecords["Service"]> = { get: [{ id: ContactId }] }

/**
 * Returns everything that an account has stored about one contact as one document (D-ERASE-7): the records of the account
 * that `ContactErasures` would erase.
 */
export class ContactRecords extends Context.Service<
  ContactRecords,
  {
    /**
     * Returns the records about a contact that the caller's account owns, the newest of each kind. Fails with `NotOwner` when
     * the contact belongs to a team mate. Records are read one after the other, so a change meanwhile may be in some alone.
     */
    readonly get: (
      id: ContactId
    ) => Effect.Effect<ContactRecord, ContactNotFound | NotOwner | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/erasure/ContactRecords") {
  /** Needs the stores of one storage. */
  static readonly layer = Layer.effect(
    ContactRecords,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const contacts = yield* ContactStore
      const events = yield* CalendarEventStore
      const store = yield* ContactRecordStore
      const tools = yield* ToolCallStore
      const { identifying, withWritings } = yield* IdentifyingSubject.make

      return Input.service(ContactRecords, inputs, {
        get: Tracing.operation("ContactRecords.get")(function* (id) {
          const contact = yield* requireOwn(contacts, id, "export")
          const { accountId } = contact
          const subject = yield* withWritings(yield* identifying(ErasureSubject.of(contact)))
          const own = ownRows(accountId)

          const callIds = yield* store.calls(subject, maxRecords + 1)
          const takenCalls = yield* take(
            callIds,
            Effect.fnUntraced(function* (callId) {
              const call = yield* calls.find(own, { id: callId })
              if (Option.isNone(call)) return Option.none()
              const ofCall = yield* tools.ofCall(accountId, callId, maxShownToolCalls)
              return Option.some({ ...call.value, toolCalls: ofCall.map(shown) })
            })
          )
          const eventIds = yield* store.calendarEvents(subject, maxRecords + 1)
          const takenEvents = yield* take(eventIds, (eventId) => events.find(own, { id: eventId }))
          const about = yield* store.toolCalls(accountId, eventIds, callIds, maxRecords + 1)
          const takenTools = yield* take(about, (one) => Effect.succeed(Option.some(shown(one))))
          const subjects = [...callIds.map(CallWebhookEvent.subjectOf), ...eventIds.map(CalendarWebhookEvent.subjectOf)]
          const sent = yield* store.deliveries(accountId, subjects, maxRecords + 1)
          const takenDeliveries = yield* take(sent, (one) =>
            Effect.map(store.delivery(accountId, one), Option.map(recorded))
          )

          const isCut = takenCalls.isTruncated || takenEvents.isTruncated
          const record: ContactRecord = {
            contact,
            calls: takenCalls.items,
            calendarEvents: takenEvents.items,
            toolCalls: takenTools.items,
            deliveries: takenDeliveries.items,
            truncated: {
              calls: takenCalls.isTruncated,
              calendarEvents: takenEvents.isTruncated,
              // What is about a record that is missing here may be missing too.
              toolCalls: takenTools.isTruncated || isCut,
              deliveries: takenDeliveries.isTruncated || isCut
            }
          }
          return record
        })
      })
    })
  )
}
