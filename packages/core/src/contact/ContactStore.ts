import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { Contact, ContactId, NewContactNumber } from "./Contact.ts"

/** A contact as it is to be kept: numbers without an id are new. */
export type ContactWrite = Omit<Contact, "phoneNumbers"> & { readonly phoneNumbers: ReadonlyArray<NewContactNumber> }

/** Which contacts a list holds; each filter given narrows it (D-CON-2). */
export interface ContactFilter {
  /** Part of the full name, e-mail address or company; compared by `Text.searchForm`, letters of any script. */
  readonly search?: string | undefined
  /** A contact with exactly this number. */
  readonly phoneNumber?: PhoneNumber | undefined
  readonly tag?: string | undefined
  readonly status?: string | undefined
  readonly stage?: string | undefined
  readonly teamId?: number | undefined
}

/**
 * Port: where contacts are stored. A contact and its numbers are written together.
 *
 * `doNotCall` of a number is true while the number is on the do-not-call list of the contact's account
 * (`DoNotCallStore`). `insert` and `update` add the numbers to it that have the flag, and take none off it: they return
 * true for a number without the flag that is on the list.
 */
export class ContactStore extends Context.Service<
  ContactStore,
  {
    /** Keeps a new contact and gives ids to it and its numbers; an id is never given a second time. */
    readonly insert: (contact: Omit<ContactWrite, "id">) => Effect.Effect<Contact, StorageError>
    /** A contact in the scope. */
    readonly find: (scope: Scope, id: ContactId) => Effect.Effect<Option.Option<Contact>, StorageError>
    /**
     * A contact in the scope, held until the transaction ends: a second caller waits and then reads what the first
     * wrote. Used inside `Transaction.run`.
     */
    readonly findForUpdate: (scope: Scope, id: ContactId) => Effect.Effect<Option.Option<Contact>, StorageError>
    /**
     * Replaces the contact and its numbers: numbers that are missing are deleted, those with an id are updated, the
     * others added, in the order given.
     */
    readonly update: (contact: ContactWrite) => Effect.Effect<Contact, StorageError>
    /**
     * Deletes the contact, its numbers, and what its calls stored of it: they stay, without a contact. Returns false when
     * the contact was not in the scope.
     */
    readonly delete: (scope: Scope, id: ContactId) => Effect.Effect<boolean, StorageError>
    /** Contacts in the scope by id, newest first. */
    readonly list: (
      scope: Scope,
      filter: ContactFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Contact>, StorageError>
    /** The ids of the account's own contacts with exactly this number, at most two: enough to know if it is one. */
    readonly idsByNumber: (
      accountId: AccountId,
      number: PhoneNumber
    ) => Effect.Effect<ReadonlyArray<ContactId>, StorageError>
    /** Records the last call; an earlier time than the one kept changes nothing. */
    readonly touchLastCall: (id: ContactId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/contact/ContactStore") {}
