import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type * as Page from "../values/Page.ts"
import type { Account, AccountId } from "./Account.ts"
import type { MemberId, SessionId } from "./Person.ts"
import type { Session, TokenDigest } from "./Session.ts"

/** A session before it has an id, with the digest of its token. */
export type NewSession = Omit<Session, "id"> & { readonly digest: TokenDigest }

/** A session that was found by the digest of its token. */
export interface FoundSession {
  readonly session: Session
  readonly account: Account
}

/**
 * Port: where sessions are stored. It receives digests of tokens, and never a token. The name and the role of a member's
 * session are those that the member has when the session is read, so that a change acts at once (D-MEM-7).
 */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Stores a new session and returns it with its id. Fails with reason `duplicate` when a session has this digest. */
    readonly insert: (session: NewSession) => Effect.Effect<Session, StorageError>
    /** Returns the session with this digest and its account. It reads both in one query, and also expired sessions. */
    readonly findByDigest: (digest: TokenDigest) => Effect.Effect<Option.Option<FoundSession>, StorageError>
    /** Returns a session of the account by its id. */
    readonly find: (accountId: AccountId, id: SessionId) => Effect.Effect<Option.Option<Session>, StorageError>
    /** Returns a page of the account's sessions that expire after `now`, the newest first. Null: of everyone. */
    readonly list: (
      accountId: AccountId,
      memberId: MemberId | null,
      now: DateTime.Utc,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<Session>, StorageError>
    /** Stores when a session was last used, and when it expires from now on. */
    readonly touch: (
      accountId: AccountId,
      id: SessionId,
      lastUsedAt: DateTime.Utc,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /** Deletes a session. Returns false when the account has none with the id. */
    readonly delete: (accountId: AccountId, id: SessionId) => Effect.Effect<boolean, StorageError>
    /** Deletes the sessions of a member, or with null of everyone in the account. Returns how many. */
    readonly deleteAll: (accountId: AccountId, memberId: MemberId | null) => Effect.Effect<number, StorageError>
    /**
     * Deletes the sessions of a member, or with null those without a member, that expire after `now`, except the newest
     * `count` of them.
     */
    readonly keepNewest: (
      accountId: AccountId,
      memberId: MemberId | null,
      count: number,
      now: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /** Deletes sessions that have expired, the earliest first, up to the limit. Returns how many. */
    readonly sweep: (now: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/access/SessionStore") {}
