import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Scope.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { Contact, ContactId, NewContactNumber } from "./Contact.ts"

/** A contact to store. Its phone numbers without an id are new. */
export type ContactWrite = Omit<Contact, "phoneNumbers"> & { readonly phoneNumbers: ReadonlyArray<NewContactNumber> }

/** The filters of a list of contacts. A contact must match all of them (D-CON-2). */
export interface ContactFilter {
  /**
   * A part of the full name, of the e-mail address or of the company. Texts are compared in their `Text.searchForm`.
   */
  readonly search?: string | undefined
  /** The contact has exactly this number. */
  readonly phoneNumber?: PhoneNumber | undefined
  readonly tag?: string | undefined
  readonly status?: string | undefined
  readonly stage?: string | undefined
  readonly teamId?: number | undefined
}

/**
 * Port: stores contacts. A contact and its numbers are written together.
 *
 * `doNotCall` of a number is true while the number is on the do-not-call list of the contact's account
 * (`DoNotCallStore`). `insert` and `update` add the numbers with the flag to the list, and remove none from it. For a
 * number without the flag that is on the list they return the flag as true.
 */
export class ContactStore extends Context.Service<
  ContactStore,
  {
    /** Stores a new contact, and returns it with new ids for it and its numbers. An id is never used a second time. */
    readonly insert: (contact: Omit<ContactWrite, "id">) => Effect.Effect<Contact, StorageError>
    /** Returns a contact in the scope. */
    readonly find: (scope: Scope, id: ContactId) => Effect.Effect<Option.Option<Contact>, StorageError>
    /**
     * Returns a contact in the scope, and locks it until the transaction ends. A second caller waits, and then reads
     * what the first has written. Call it inside `Transaction.run`.
     */
    readonly findForUpdate: (scope: Scope, id: ContactId) => Effect.Effect<Option.Option<Contact>, StorageError>
    /**
     * Replaces the contact and its numbers, and returns the stored contact. Numbers with an id are updated, numbers
     * without one are added in the given order, and stored numbers that are missing are deleted.
     */
    readonly update: (contact: ContactWrite) => Effect.Effect<Contact, StorageError>
    /**
     * Deletes the contact, its numbers, and the contact's data in its calls. Its calls and calendar events stay, without a
     * contact. Returns false when the contact is not in the scope.
     */
    readonly delete: (scope: Scope, id: ContactId) => Effect.Effect<boolean, StorageError>
    /** Returns a page of the contacts in the scope, ordered by id from the newest. */
    readonly list: (
      scope: Scope,
      filter: ContactFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Contact>, StorageError>
    /**
     * Returns the ids of the account's own contacts with exactly this number, at most two. Two are enough to know that
     * the number does not identify one contact.
     */
    readonly idsByNumber: (
      accountId: AccountId,
      number: PhoneNumber
    ) => Effect.Effect<ReadonlyArray<ContactId>, StorageError>
    /**
     * Returns the ids of the account's own contacts with this e-mail address, at most two. Upper and lower case are equal in
     * ASCII letters.
     */
    readonly idsByEmail: (accountId: AccountId, email: string) => Effect.Effect<ReadonlyArray<ContactId>, StorageError>
    /**
     * Returns up to `limit` of the account's own contacts with a higher id than `after`, sorted by id. Null starts at the
     * first contact.
     */
    readonly listAfter: (
      accountId: AccountId,
      after: ContactId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Contact>, StorageError>
    /** Records the time of the contact's last call, unless the stored time is later. */
    readonly touchLastCall: (id: ContactId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/contact/ContactStore") {}
