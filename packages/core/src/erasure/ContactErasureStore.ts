import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import type { CallId } from "../call/Call.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ErasureSubject } from "./ErasureSubject.ts"

/** A record of an account. */
export interface OwnedRecord<Id> {
  readonly id: Id
  readonly accountId: AccountId
}

/** The result of a step through many rows. */
export interface ErasureStep {
  /** How many rows the step cleared or deleted. */
  readonly count: number
  /** Where the next step continues, in a form of the storage. Null when this step was the last. */
  readonly after: string | null
}

/** The records about a contact whose traces are erased. */
export interface Traces {
  readonly calls: ReadonlyArray<CallId>
  readonly calendarEvents: ReadonlyArray<CalendarEventId>
}

/**
 * Port: finds and clears what other records store of a contact that is erased (D-ERASE-1). Every method may be repeated.
 * Calls and calendar events themselves are changed through their own stores.
 */
export class ContactErasureStore extends Context.Service<
  ContactErasureStore,
  {
    /**
     * Gives the contact to calls of the account with one of its numbers and to calendar events of the account with one of its
     * numbers, in one of its writings too, or its e-mail address, unless they have a contact. Changes at most `limit` records of each kind. Returns how
     * many; 0 when none is left.
     */
    readonly link: (subject: ErasureSubject, limit: number) => Effect.Effect<number, StorageError>
    /** Returns calls of any account with the contact and a higher id than `after`, sorted by id. */
    readonly calls: (
      contactId: ContactId,
      after: CallId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedRecord<CallId>>, StorageError>
    /** Returns calendar events of any account with the contact and a higher id than `after`, sorted by id. */
    readonly calendarEvents: (
      contactId: ContactId,
      after: CalendarEventId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedRecord<CalendarEventId>>, StorageError>
    /**
     * Clears the arguments and the answers of tool calls in the given calls and about the given events. Both are null afterwards.
     * Returns how many tool calls had one.
     */
    readonly clearToolCalls: (traces: Traces) => Effect.Effect<number, StorageError>
    /** Deletes the tasks that would mail about these events, also dead-lettered ones. Returns how many. */
    readonly dropMails: (events: ReadonlyArray<CalendarEventId>) => Effect.Effect<number, StorageError>
    /**
     * Replaces the bodies of the account's webhook events about these subjects by `body`, and clears the stored answers of
     * their deliveries, at most `limit` in one step.
     */
    readonly clearDeliveries: (
      accountId: AccountId,
      subjects: ReadonlyArray<string>,
      body: Uint8Array,
      after: string | null,
      limit: number
    ) => Effect.Effect<ErasureStep, StorageError>
    /**
     * Deletes the answers that the account's idempotency keys store. The keys count as executed, without an answer. Examines
     * at most `limit` keys.
     */
    readonly clearAnswers: (
      accountId: AccountId,
      after: string | null,
      limit: number
    ) => Effect.Effect<ErasureStep, StorageError>
    /** Deletes refused lines of the account's imports in which the person occurs. Examines at most `limit` lines. */
    readonly dropRefused: (
      subject: ErasureSubject,
      after: string | null,
      limit: number
    ) => Effect.Effect<ErasureStep, StorageError>
  }
>()("@frontdesk/core/erasure/ContactErasureStore") {}
