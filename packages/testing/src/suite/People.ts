import type { AccountId } from "@frontdesk/core/access/Account"
import { MemberStore, type NewMember } from "@frontdesk/core/access/MemberStore"
import { TokenDigest } from "@frontdesk/core/access/Session"
import { type NewSession, SessionStore } from "@frontdesk/core/access/SessionStore"
import { type NewSignInLink, SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** Returns the digest of a token that no other link or session has. */
export const newDigest = (): TokenDigest => TokenDigest.make(crypto.randomUUID().replaceAll("-", "").repeat(2))

/** Returns the fields of a new member, whose mailbox no other sample has. */
export const newMember = (accountId: AccountId, fields: Partial<NewMember> = {}): NewMember => ({
  accountId,
  email: `${Samples.unique("jo")}@example.com`,
  name: "Jo",
  role: "viewer",
  createdAt: Samples.now,
  ...fields
})

/** Stores a new member and returns it. */
export const makeMember = (accountId: AccountId, fields: Partial<NewMember> = {}) =>
  Effect.flatMap(MemberStore, (members) => members.insert(newMember(accountId, fields)))

/** Returns the fields of a new link for a person without a member. It expires after an hour. */
export const newLink = (accountId: AccountId, fields: Partial<NewSignInLink> = {}): NewSignInLink => ({
  accountId,
  memberId: null,
  userId: null,
  name: "Guest",
  role: "viewer",
  isOperator: false,
  digest: newDigest(),
  createdAt: Samples.now,
  expiresAt: Samples.later(60),
  ...fields
})

/** Stores a new link and returns it. */
export const makeLink = (accountId: AccountId, fields: Partial<NewSignInLink> = {}) =>
  Effect.flatMap(SignInLinkStore, (links) => links.insert(newLink(accountId, fields)))

/** Returns the fields of a new session of a person without a member. It expires after an hour. */
export const newSession = (accountId: AccountId, fields: Partial<NewSession> = {}): NewSession => ({
  ...newLink(accountId),
  lastUsedAt: Samples.now,
  endsAt: Samples.later(600),
  ...fields
})

/** Stores a new session and returns it. */
export const makeSession = (accountId: AccountId, fields: Partial<NewSession> = {}) =>
  Effect.flatMap(SessionStore, (sessions) => sessions.insert(newSession(accountId, fields)))
