import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import { NotOwner, type TeamAccessDenied, type TeamNotFound } from "../access/AccessError.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import type { LimitReached } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { scope } from "../access/Scope.ts"
import { patchTeam, replaceTeam } from "../access/TeamAccess.ts"
import type { TeamStore } from "../access/TeamStore.ts"
import type { BookingUnchecked } from "../availability/AvailabilityError.ts"
import { ExternalBusy } from "../availability/ExternalBusy.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import * as CalendarFiles from "./CalendarFiles.ts"
import * as CalendarEventWrites from "./CalendarEventWrites.ts"
import type { AgentArchived, AgentNotFound } from "../agent/AgentError.ts"
import type { Agents } from "../agent/Agents.ts"
import type { ContactId } from "../contact/Contact.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { Crypto } from "../crypto/Crypto.ts"
import type { Mailer } from "../mail/Mailer.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { Delivery } from "../delivery/Delivery.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Page from "../values/Page.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import {
  type CalendarEventNotFound,
  found,
  type InvalidDatetimeFormat,
  type InvalidTimeRange,
  type SlotUnavailable
} from "../calendar-event/CalendarEventError.ts"
import { type CalendarEvent, CalendarProviderKey, CalendarEventUuid } from "../calendar-event/CalendarEvent.ts"
import type { SlotHoldStore } from "../availability/SlotHoldStore.ts"
import { CalendarEventStore, type EventContact } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as ConflictResolution from "./ConflictResolution.ts"
import * as CalendarWebhookEvent from "../calendar-event/CalendarWebhookEvent.ts"
import type { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  CalendarEventQuery,
  PatchCalendarEvent,
  PutCalendarEvent,
  ResolveCopy
} from "../calendar-event/CalendarEventInput.ts"
import type * as Cancellation from "../calendar-event/Cancellation.ts"
import * as CalendarEventMerge from "../calendar-event/CalendarEventMerge.ts"
import { CalendarEventEffectWriter } from "./CalendarEventEffectWriter.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"

type ReferenceError = AgentNotFound | AgentArchived | TeamNotFound | TeamAccessDenied | NotOwner

/** The errors with which a write of a calendar event fails. */
export type CalendarEventWriteError =
  | ValidationError
  | InvalidDatetimeFormat
  | InvalidTimeRange
  | ReferenceError
  | SlotUnavailable
  | BookingUnchecked
  | StorageError

/** The errors with which the creation of a calendar event fails. */
export type CalendarEventCreateError = CalendarEventWriteError | LimitReached

const inputs: Input.Inputs<CalendarEvents["Service"]> = {
  create: [{ body: CreateCalendarEvent }],
  get: [{ key: CalendarEventKey }],
  list: [{ query: CalendarEventQuery }, { page: Page.PageRequest }],
  deliveries: [{ key: CalendarEventKey }, { query: Schema.UndefinedOr(Page.PageQuery) }],
  put: [{ key: CalendarEventKey }, { body: PutCalendarEvent }],
  patch: [{ key: CalendarEventKey }, { body: PatchCalendarEvent }],
  cancel: [{ key: CalendarEventKey }, { body: CancelCalendarEvent }],
  resolveCopy: [{ key: CalendarEventKey }, { provider: CalendarProviderKey }, { body: ResolveCopy }],
  ics: [{ key: CalendarEventKey }],
  icsBySignature: [{ uuid: CalendarEventUuid }, { signature: Schema.String }]
}

/**
 * The calendar of the caller: calendar events of its account and of its teams (C-1-1, C-2.5-1, D-TEAM-1).
 *
 * For an event that the caller may not see, every method fails with `CalendarEventNotFound`. A change and its effects
 * (webhook events, reminders, writes to external calendars, mails) are committed together. Times without an offset are
 * in the caller's time zone. Only the owner of an event sees its external calendars. Team mates do not.
 */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Adds an event to the caller's calendar, and returns it. With `reject_conflicts` in the account's settings or in
     * the body, it fails with `SlotUnavailable` when another event blocks the time (D-CAL-9). With `require_available`
     * in the body it does so unless the account offers the time, and with `BookingUnchecked` when an external calendar
     * cannot be read (D-CAL-11). Only one of two concurrent callers gets a time.
     */
    readonly create: (body: CreateCalendarEvent) => Effect.Effect<CalendarEvent, CalendarEventCreateError, Principal>
    /** Returns one event. */
    readonly get: (
      key: CalendarEventKey
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns a page of events, ordered by start, then id. A contact that the caller does not see has no events. Fails
     * with `InvalidParameter` when `endDate` is before `startDate`.
     */
    readonly list: (
      query: CalendarEventQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<CalendarEvent>, InvalidParameter | ValidationError | StorageError, Principal>
    /**
     * Returns a page of the deliveries of webhook events about an event to all webhooks of the caller's account, newest first
     * (D-DEL-34). The event of a team mate has none, because its webhook events go to the webhooks of its own account.
     */
    readonly deliveries: (
      key: CalendarEventKey,
      query?: Page.PageQuery
    ) => Effect.Effect<Page.Page<Delivery>, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /** Replaces the event, and returns it. Title, times and status keep their values when they are absent (D-CAL-1). */
    readonly put: (
      key: CalendarEventKey,
      body: PutCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /**
     * Changes the given fields. Without a difference `updatedAt` stays, and there is no webhook event or other effect.
     */
    readonly patch: (
      key: CalendarEventKey,
      body: PatchCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /**
     * Cancels the event, whatever its status is, and appends the reason to the customer's notes (C-3.1-5, C-3.1-8). A
     * reason that is too long is shortened. The cancel is synced to external calendars (C-3.1-6), and the customer is
     * mailed when `Cancellation.isMailed` returns true (C-3.1-7). For an event that is cancelled already only the notes
     * change, without any effect such as a webhook event or a mail (D-CAL-7).
     */
    readonly cancel: (
      key: CalendarEventKey,
      body: CancelCalendarEvent
    ) => Effect.Effect<
      Cancellation.CancelledCalendarEvent,
      CalendarEventNotFound | ValidationError | StorageError,
      Principal
    >
    /**
     * Resolves a conflict: a copy that a person has changed or deleted in an external calendar. The outbox carries the
     * resolution out, and until then the copy is `pending`. A copy that waits or has failed is also written again. When
     * there is nothing to resolve (`ExternalStates.isResolvable`), the event is returned unchanged. Fails with `NotOwner`
     * for a team mate, because the external calendar belongs to the owner.
     */
    readonly resolveCopy: (
      key: CalendarEventKey,
      provider: CalendarProviderKey,
      body: ResolveCopy
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | NotOwner | ValidationError | StorageError, Principal>
    /** Returns the event as an iCalendar file. */
    readonly ics: (
      key: CalendarEventKey
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns the event as an iCalendar file for a request with its signed link (`CalendarLinks`). Fails with
     * `CalendarEventNotFound` for an invalid signature, and for the link of a team mate that no longer sees the
     * event (D-ICS-7).
     */
    readonly icsBySignature: (
      uuid: CalendarEventUuid,
      signature: string
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarEvents") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    CalendarEvents,
    never,
    | AuditStore
    | CalendarEventStore
    | ContactStore
    | DeliveryStore
    | SlotHoldStore
    | AccountStore
    | TeamStore
    | Agents
    | Transaction
    | CalendarEventEffectWriter
    | CalendarLinks
    | Crypto
    | Mailer
    | Outbox
    | CalendarSync
  > = Layer.effect(
    CalendarEvents,
    Effect.gen(function* () {
      const contacts = yield* ContactStore
      const deliveryStore = yield* DeliveryStore
      const events = yield* CalendarEventStore
      const files = yield* CalendarFiles.make
      const transaction = yield* Transaction
      const writer = yield* CalendarEventEffectWriter
      const writes = yield* CalendarEventWrites.make
      const resolveConflict = yield* ConflictResolution.make

      /** Returns the event as the caller sees it: a team mate does not see its external calendars. */
      const shown = (event: CalendarEvent) =>
        Effect.map(Principal, ({ account }) => ExternalStates.visibleTo(event, account.id))

      /** Returns the event, and locks it until the transaction ends. */
      const lock = Effect.fnUntraced(function* (key: CalendarEventKey) {
        return yield* found(events.findForUpdate(scope(yield* Principal), key), key)
      })

      /** Returns a contact in the scope of the caller as the store compares events with it, or null. */
      const contactOf = Effect.fnUntraced(function* (contactId: ContactId) {
        const contact = yield* contacts.find(scope(yield* Principal), contactId)
        return Option.getOrNull(
          Option.map(contact, ({ email, phoneNumbers }): EventContact => ({
            contactId,
            email,
            phoneNumbers: phoneNumbers.map(({ phoneNumber }) => phoneNumber)
          }))
        )
      })

      const get = Tracing.operation("CalendarEvents.get")(function* (key: CalendarEventKey) {
        const principal = yield* Principal
        const event = yield* found(events.find(scope(principal), key), key)
        return ExternalStates.visibleTo(event, principal.account.id)
      })

      const resolveInTransaction = Effect.fnUntraced(function* (
        key: CalendarEventKey,
        provider: CalendarProviderKey,
        resolution: ResolveCopy["resolution"]
      ) {
        const event = yield* lock(key)
        if (event.accountId !== (yield* Principal).account.id) return yield* new NotOwner({ action: "resolve_copy" })
        return yield* resolveConflict(event, provider, resolution)
      }, transaction.run)

      return Input.service(CalendarEvents, inputs, {
        create: Tracing.operation("CalendarEvents.create")(function* (body) {
          return yield* writes.create(body)
        }),
        get,
        list: Tracing.operation("CalendarEvents.list")(function* (query, page) {
          const { contactId, endDate, overlapping = false, startDate, ...filter } = query
          const principal = yield* Principal
          const { timeZone } = principal.account.settings
          yield* DateRange.requireOrder({ startDate, endDate })
          const { from, until } = DateRange.bounds({ startDate, endDate }, timeZone)
          const start = overlapping ? { endsAfter: from } : { from }
          const contact = contactId === undefined ? undefined : yield* contactOf(contactId)
          // A contact that the caller does not see has no events for it.
          if (contact === null) return Page.slice([], page)
          const listed = yield* events.list(scope(principal), { ...filter, ...start, until, contact }, page)
          return Page.map(listed, (event) => ExternalStates.visibleTo(event, principal.account.id))
        }),
        deliveries: Tracing.operation("CalendarEvents.deliveries")(function* (key, query = {}) {
          const { account } = yield* Principal
          const { id } = yield* get(key)
          return yield* deliveryStore.listAbout(account.id, CalendarWebhookEvent.subjectOf(id), Page.request(query))
        }),
        put: Tracing.operation("CalendarEvents.put")(function* (key, body) {
          return yield* Effect.flatMap(writes.change(key, body, byPut), shown)
        }),
        patch: Tracing.operation("CalendarEvents.patch")(function* (key, body) {
          return yield* Effect.flatMap(writes.change(key, body, byPatch), shown)
        }),
        cancel: Tracing.operation("CalendarEvents.cancel")(function* (key, body) {
          const cancelled = yield* writes.cancel(key, body)
          return { ...cancelled, event: yield* shown(cancelled.event) }
        }),
        resolveCopy: Tracing.operation("CalendarEvents.resolveCopy")(function* (key, provider, { resolution }) {
          const event = yield* resolveInTransaction(key, provider, resolution)
          return yield* Effect.as(writer.notify(event), event)
        }),
        ics: (key) => Effect.flatMap(get(key), files.publish),
        icsBySignature: Tracing.operation("CalendarEvents.icsBySignature")(function* (uuid, signature) {
          return yield* files.publishBySignature(yield* found(events.findAnywhere({ uuid }), { uuid }), signature)
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}

const byPut: CalendarEventWrites.Replacement = {
  operation: "events.put",
  rule: CalendarEventMerge.put,
  teamOf: replaceTeam
}

const byPatch: CalendarEventWrites.Replacement = {
  operation: "events.patch",
  rule: CalendarEventMerge.patch,
  teamOf: patchTeam
}
