import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { AccountId } from "./Account.ts"
import type { Member } from "./Member.ts"
import type { MemberId } from "./Person.ts"

/** A member before it has an id. */
export type NewMember = Omit<Member, "id" | "lastSignInAt">

/** Port: where the members of accounts are stored. */
export class MemberStore extends Context.Service<
  MemberStore,
  {
    /** Stores a new member. Fails with reason `duplicate` when the account has a member with the mailbox (D-MEM-3). */
    readonly insert: (member: NewMember) => Effect.Effect<Member, StorageError>
    /** Returns a member of the account by its id. */
    readonly find: (accountId: AccountId, id: MemberId) => Effect.Effect<Option.Option<Member>, StorageError>
    /** Returns all members of the account, oldest first. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Member>, StorageError>
    /** Returns up to `limit` members of any account that have the mailbox of this address, oldest first. */
    readonly listByEmail: (email: string, limit: number) => Effect.Effect<ReadonlyArray<Member>, StorageError>
    /** Replaces the name and the role of a member. */
    readonly update: (member: Pick<Member, "accountId" | "id" | "name" | "role">) => Effect.Effect<void, StorageError>
    /** Stores when a member last signed in. */
    readonly touch: (accountId: AccountId, id: MemberId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
    /**
     * Stores that a sign-in mail is requested for a member now, and returns true. Returns false, and changes nothing, when
     * one was requested after `before`. Of two calls at the same time one returns true.
     */
    readonly beginMail: (
      accountId: AccountId,
      id: MemberId,
      now: DateTime.Utc,
      before: DateTime.Utc
    ) => Effect.Effect<boolean, StorageError>
    /** Deletes a member with its links and sessions. Returns false when the account has no member with the id. */
    readonly delete: (accountId: AccountId, id: MemberId) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/access/MemberStore") {}
