import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import type { CallId } from "../call/Call.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Delivery, DeliveryId } from "../delivery/Delivery.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ErasureSubject } from "./ErasureSubject.ts"

/** A delivery with what it sends. */
export interface SentDelivery extends Omit<Delivery, "attempts" | "nextAttemptAt"> {
  readonly body: Uint8Array
}

/**
 * Port: finds the records of an account about a person, the newest first (D-ERASE-7). It changes nothing.
 *
 * It finds the calls and calendar events of the account that have the contact, and those without a contact that
 * `ContactErasureStore.link` would give to it.
 */
export class ContactRecordStore extends Context.Service<
  ContactRecordStore,
  {
    /**
     * Returns the texts after `after` by which calendar events of the account name a customer's number, each once, sorted. The
     * order is that of the storage.
     */
    readonly writtenNumbers: (
      accountId: AccountId,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /** Returns the newest calls of the account about the person, by creation time, then id, highest first. */
    readonly calls: (subject: ErasureSubject, limit: number) => Effect.Effect<ReadonlyArray<CallId>, StorageError>
    /** Returns the latest calendar events of the account about the person, by end time, then id, highest first. */
    readonly calendarEvents: (
      subject: ErasureSubject,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalendarEventId>, StorageError>
    /**
     * Returns the account's newest tool calls that have changed one of the given calendar events, by id, highest first.
     *
     * @param except calls whose tool calls are left out
     */
    readonly toolCalls: (
      accountId: AccountId,
      events: ReadonlyArray<CalendarEventId>,
      except: ReadonlyArray<CallId>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ToolCall>, StorageError>
    /**
     * Returns the account's newest deliveries about these subjects, by the time of the webhook event, then in the order in
     * which they were added, newest first.
     */
    readonly deliveries: (
      accountId: AccountId,
      subjects: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryId>, StorageError>
    /** Returns a delivery of the account with the body that it sends. */
    readonly delivery: (
      accountId: AccountId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<SentDelivery>, StorageError>
  }
>()("@frontdesk/core/erasure/ContactRecordStore") {}
