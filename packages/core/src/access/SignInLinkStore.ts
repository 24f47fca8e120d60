import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { AccountId } from "./Account.ts"
import type { MemberId } from "./Person.ts"
import type { SignInLink, SignInLinkId, TokenDigest } from "./Session.ts"

/** A sign-in link before it has an id, with the digest of its token. */
export type NewSignInLink = Omit<SignInLink, "id"> & { readonly digest: TokenDigest }

/**
 * Port: where sign-in links are stored until they are used. It receives digests of tokens, and never a token. The name and
 * the role of a member's link are those that the member has when the link is read.
 */
export class SignInLinkStore extends Context.Service<
  SignInLinkStore,
  {
    /** Stores a new link and returns it with its id. Fails with reason `duplicate` when a link has this digest. */
    readonly insert: (link: NewSignInLink) => Effect.Effect<SignInLink, StorageError>
    /** Returns the link with this digest, also an expired one. */
    readonly findByDigest: (digest: TokenDigest) => Effect.Effect<Option.Option<SignInLink>, StorageError>
    /** Returns the account's links that expire after `now`, oldest first and at most `limit`. */
    readonly list: (
      accountId: AccountId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SignInLink>, StorageError>
    /** Returns how many links of a member, or with null without a member, expire after `now`. */
    readonly count: (
      accountId: AccountId,
      memberId: MemberId | null,
      now: DateTime.Utc
    ) => Effect.Effect<number, StorageError>
    /** Deletes a link. Returns false when the account has none with the id. Of two calls at the same time one returns true. */
    readonly delete: (accountId: AccountId, id: SignInLinkId) => Effect.Effect<boolean, StorageError>
    /**
     * Deletes the links of a member that expire after `now`, except the newest `count` of them. Expired links do not count,
     * because they would take the places of links that work.
     */
    readonly keepNewest: (
      accountId: AccountId,
      memberId: MemberId,
      count: number,
      now: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /** Deletes links that have expired, the earliest first, up to the limit. Returns how many. */
    readonly sweep: (now: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/access/SignInLinkStore") {}
