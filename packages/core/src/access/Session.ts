import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "./Account.ts"
import { MemberRole } from "./MemberRole.ts"
import { HostUserId, MemberId, type Person, SessionId } from "./Person.ts"

/** The person of a sign-in link or a session. A member has the role and the name that it has at present. */
const who = {
  accountId: AccountId,
  /** The member. Null for a user of the program that embeds the dashboard. */
  memberId: Schema.NullOr(MemberId),
  userId: Schema.NullOr(HostUserId),
  name: Schema.String,
  role: MemberRole,
  /** Whether the person is the operator of the installation (D-OP-1). Never true for a member. */
  isOperator: Schema.Boolean
}

/** The time for which a person is signed in to the dashboard (D-MEM-6). It has no token. */
export const Session = Schema.Struct({
  id: SessionId,
  ...who,
  createdAt: Schema.DateTimeUtc,
  /** When a request last used the session. It is written at most once a minute. */
  lastUsedAt: Schema.DateTimeUtc,
  /** When the session ends unless a request uses it before. Never after `endsAt`. */
  expiresAt: Schema.DateTimeUtc,
  /** When the session ends in any case. */
  endsAt: Schema.DateTimeUtc
})

/** The time for which a person is signed in to the dashboard. */
export type Session = typeof Session.Type

/** Returns the person who is signed in. */
export const personOf = ({ id, isOperator, memberId, name, role, userId }: Session): Person => ({
  memberId,
  userId,
  sessionId: id,
  name,
  role,
  isOperator
})

/** Database id of a sign-in link. */
export const SignInLinkId = DatabaseId.pipe(Schema.brand("SignInLinkId"))

/** Database id of a sign-in link. */
export type SignInLinkId = typeof SignInLinkId.Type

/** A link with which one person signs in once (D-MEM-5). It has no token. */
export const SignInLink = Schema.Struct({
  id: SignInLinkId,
  ...who,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})

/** A link with which one person signs in once. */
export type SignInLink = typeof SignInLink.Type

/** The SHA-256 of the token of a link or a session, as 64 hexadecimal digits in lower case. */
export const TokenDigest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("TokenDigest"))

/** The SHA-256 of the token of a link or a session. */
export type TokenDigest = typeof TokenDigest.Type
