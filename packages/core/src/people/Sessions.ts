import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { InvalidSession } from "../access/AccessError.ts"
import * as LastUse from "../access/LastUse.ts"
import { MemberStore } from "../access/MemberStore.ts"
import { SessionId } from "../access/Person.ts"
import { ofPerson, Principal } from "../access/Principal.ts"
import { personOf, type Session } from "../access/Session.ts"
import * as SessionAudit from "../access/SessionAudit.ts"
import { type FoundSession, SessionStore } from "../access/SessionStore.ts"
import type { SignInLinkStore } from "../access/SignInLinkStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { EndSessions, SessionQuery } from "./MemberInput.ts"
import { MemberNotFound, SessionNotFound } from "./PeopleError.ts"
import * as SessionEnd from "./SessionEnd.ts"
import { CurrentSessionSettings } from "./SessionSettings.ts"
import * as Schema from "effect/Schema"
import * as SignInToken from "./SignInToken.ts"

const inputs: Input.Inputs<Sessions["Service"]> = {
  authenticate: [{ token: SignInToken.PresentedToken }],
  end: [{ token: SignInToken.PresentedToken }],
  endEverywhere: [{ token: SignInToken.PresentedToken }],
  list: [{ query: Schema.UndefinedOr(SessionQuery) }],
  delete: [{ id: SessionId }],
  deleteAll: [{ body: Schema.UndefinedOr(EndSessions) }]
}

/**
 * The sessions of people who are signed in to the dashboard. A session that ends, a member that is removed and a role that
 * changes act with the next request, on every node: nothing is cached (D-MEM-7).
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Returns the caller of a session with this token, and uses the session. Fails with `InvalidSession` for an unknown and an
     * expired token alike.
     */
    readonly authenticate: (
      token: Redacted.Redacted<string>
    ) => Effect.Effect<Principal["Service"], InvalidSession | ValidationError | StorageError>
    /** Ends the session with this token, if there is one. */
    readonly end: (token: Redacted.Redacted<string>) => Effect.Effect<void, ValidationError | StorageError>
    /**
     * Ends the session with this token, and every other session and open sign-in link of its member. For a person without a
     * member it ends the session alone.
     */
    readonly endEverywhere: (token: Redacted.Redacted<string>) => Effect.Effect<void, ValidationError | StorageError>
    /** Returns a page of the sessions of the caller's account, the newest first. */
    readonly list: (
      query?: SessionQuery
    ) => Effect.Effect<Page.Page<Session>, ValidationError | StorageError, Principal>
    /**
     * Returns the sessions of the person who calls, the newest first: all of a member, the present one of another person, and
     * none of a key or program.
     */
    readonly own: Effect.Effect<ReadonlyArray<Session>, StorageError, Principal>
    /** Ends a session of the caller's account. */
    readonly delete: (id: SessionId) => Effect.Effect<void, SessionNotFound | ValidationError | StorageError, Principal>
    /**
     * Ends the sessions of a member, or of everyone in the caller's account. Returns how many. Fails with `MemberNotFound` when
     * the account has no member with the id.
     */
    readonly deleteAll: (
      body?: EndSessions
    ) => Effect.Effect<number, MemberNotFound | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/people/Sessions") {
  /** The service over a `SessionStore`. */
  static readonly layer: Layer.Layer<
    Sessions,
    never,
    AuditStore | MemberStore | SessionStore | SignInLinkStore | Transaction | Crypto
  > = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const ends = yield* SessionEnd.make
      const members = yield* MemberStore
      const store = yield* SessionStore
      const transaction = yield* Transaction
      const crypto = yield* Crypto
      const settings = yield* CurrentSessionSettings
      const lastUse = yield* LastUse.make("a session", ({ accountId, endsAt, id }: Session, now) =>
        store.touch(accountId, id, now, DateTime.min(Timestamp.after(now, settings.idle), endsAt))
      )

      /** Returns the session with a token unless it has expired. */
      const find = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
        const found = yield* store.findByDigest(yield* SignInToken.digestOf(crypto, token))
        const now = yield* DateTime.now
        return Option.filter(found, ({ session }) => DateTime.isGreaterThan(session.expiresAt, now))
      })

      const principalOf = ({ account, session }: FoundSession) =>
        ofPerson({ ...account, teamIds: [...account.teamIds] }, personOf(session))

      const authenticate = Tracing.operation("Sessions.authenticate")(function* (token: Redacted.Redacted<string>) {
        const found = yield* find(token)
        if (Option.isNone(found)) return yield* new InvalidSession({})
        yield* lastUse.record(found.value.session, yield* DateTime.now) ?? Effect.void
        return principalOf(found.value)
      })

      const end = Tracing.operation("Sessions.end")(function* (token: Redacted.Redacted<string>) {
        const found = yield* find(token)
        if (Option.isSome(found)) yield* transaction.run(ends.signOut(found.value.session))
      })

      const endEverywhere = Tracing.operation("Sessions.endEverywhere")(function* (token: Redacted.Redacted<string>) {
        const found = yield* find(token)
        if (Option.isNone(found)) return
        const { session } = found.value
        const { accountId, memberId } = session
        yield* transaction.run(
          memberId === null
            ? ends.signOut(session)
            : SessionAudit.byPersonOf(session)(ends.everywhere(accountId, memberId))
        )
      })

      const own = Effect.gen(function* () {
        const { account, person } = yield* Principal
        const now = yield* DateTime.now
        if (person === undefined) return []
        if (person.memberId !== null) {
          const page = Page.request({ limit: Page.maxLimit })
          return (yield* store.list(account.id, person.memberId, now, page)).items
        }
        if (person.sessionId === null) return []
        return Option.toArray(yield* store.find(account.id, person.sessionId))
      })

      return Input.service(Sessions, inputs, {
        authenticate,
        end,
        endEverywhere,
        own,
        list: Tracing.operation("Sessions.list")(function* (query = {}) {
          const { account } = yield* Principal
          return yield* store.list(account.id, query.memberId ?? null, yield* DateTime.now, Page.request(query))
        }),
        delete: Tracing.operation("Sessions.delete")(function* (id) {
          const { account } = yield* Principal
          const found = yield* store.find(account.id, id)
          if (Option.isNone(found) || !(yield* store.delete(account.id, id))) {
            return yield* new SessionNotFound({ sessionId: id })
          }
          yield* audit.deleted("sessions.delete", SessionAudit.kind, found.value)
        }, transaction.run),
        deleteAll: Tracing.operation("Sessions.deleteAll")(function* (body = {}) {
          const { account } = yield* Principal
          const memberId = body.memberId ?? null
          if (memberId !== null && Option.isNone(yield* members.find(account.id, memberId))) {
            return yield* new MemberNotFound({ memberId })
          }
          return yield* ends.all(account.id, memberId)
        }, transaction.run)
      })
    })
  )
}
