import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { MemberId } from "../access/Person.ts"
import type { Session } from "../access/Session.ts"
import * as SessionAudit from "../access/SessionAudit.ts"
import { SessionStore } from "../access/SessionStore.ts"
import { SignInLinkStore } from "../access/SignInLinkStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"

/** Makes the functions that end sessions and record it. Call them in a transaction. A session that has ended has no entry. */
export const make = Effect.gen(function* () {
  const audit = yield* AuditTrail.make
  const links = yield* SignInLinkStore
  const store = yield* SessionStore

  /** Ends a session because its person signs out. */
  const signOut = (session: Session) =>
    Effect.flatMap(store.delete(session.accountId, session.id), (isEnded) =>
      isEnded
        ? SessionAudit.byPersonOf(session)(audit.deleted("sessions.end", SessionAudit.kind, session))
        : Effect.void
    )

  /** Ends the sessions of a member, or all of an account for null. Returns how many. */
  const all = (accountId: AccountId, memberId: MemberId | null) =>
    Effect.tap(store.deleteAll(accountId, memberId), (sessions) =>
      sessions === 0
        ? Effect.void
        : audit.record(
            "sessions.deleteAll",
            { accountId, type: "session", id: null },
            FieldChanges.facts({ sessions, ...(memberId === null ? {} : { member_id: memberId }) })
          )
    )

  /** Ends the sessions of a member and deletes its open links, with which another person could sign in. */
  const everywhere = (accountId: AccountId, memberId: MemberId) =>
    Effect.flatMap(DateTime.now, (now) =>
      Effect.andThen(links.keepNewest(accountId, memberId, 0, now), all(accountId, memberId))
    )

  return { signOut, all, everywhere }
})
