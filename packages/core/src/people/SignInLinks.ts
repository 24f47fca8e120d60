import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { InvalidKey, InvalidSession, PermissionDenied } from "../access/AccessError.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { ApiKeyStore } from "../access/ApiKeyStore.ts"
import * as GrantCheck from "../access/GrantCheck.ts"
import { permissionsOf } from "../access/MemberRole.ts"
import { MemberStore } from "../access/MemberStore.ts"
import type { MemberId } from "../access/Person.ts"
import { Principal } from "../access/Principal.ts"
import { type Session, type SignInLink, SignInLinkId } from "../access/Session.ts"
import * as SessionAudit from "../access/SessionAudit.ts"
import { SessionStore } from "../access/SessionStore.ts"
import { SignInLinkStore } from "../access/SignInLinkStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Outage from "../storage/Outage.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as LinkOwner from "./LinkOwner.ts"
import { CreateOperatorLink, CreateSignInLink, defaultLinkMinutes } from "./MemberInput.ts"
import { MemberNotFound, SignInLinkInvalid, SignInLinkNotFound } from "./PeopleError.ts"
import * as SessionEnd from "./SessionEnd.ts"
import { CurrentSessionSettings } from "./SessionSettings.ts"
import * as SignInToken from "./SignInToken.ts"

/** A link with its token. Only this result has the token, because only its digest is stored. */
export interface IssuedSignInLink {
  readonly link: SignInLink
  readonly token: Redacted.Redacted<string>
}

/** A session with its token, after a person has signed in. */
export interface SignedIn {
  readonly session: Session
  readonly token: Redacted.Redacted<string>
}

const inputs: Input.Inputs<SignInLinks["Service"]> = {
  create: [{ link: CreateSignInLink }],
  createForOperator: [{ link: CreateOperatorLink }],
  delete: [{ id: SignInLinkId }],
  use: [{ token: SignInToken.PresentedToken }, { previous: Schema.NullOr(SignInToken.PresentedToken) }]
}

/** The links with which people sign in to the dashboard. Each works once, on any node, until it expires (D-MEM-5). */
export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Returns all open links of the caller's account, oldest first: as many as the account may have (`AccountLimits`). */
    readonly list: Effect.Effect<ReadonlyArray<SignInLink>, StorageError, Principal>
    /**
     * Creates a link for a member of the caller's account, or with a role for a user of the program, and returns it with its
     * token. A member has at most five open links; a further one replaces the oldest.
     *
     * Fails with `PermissionDenied` when the caller lacks a permission of the role. Fails with `LimitReached` when the account
     * has the maximum number of open links without a member, and with `ValidationError` unless the link is for one of the two.
     */
    readonly create: (
      link: CreateSignInLink
    ) => Effect.Effect<
      IssuedSignInLink,
      MemberNotFound | LimitReached | PermissionDenied | InvalidKey | InvalidSession | ValidationError | StorageError,
      Principal
    >
    /**
     * Creates a link with which the operator of the installation signs in as an owner of the caller's account, and returns it
     * with its token (D-OP-1). No endpoint and no method of the facade does this: only the command line and programs that use
     * the core.
     *
     * Fails as `create` does.
     */
    readonly createForOperator: (
      link: CreateOperatorLink
    ) => Effect.Effect<
      IssuedSignInLink,
      LimitReached | PermissionDenied | InvalidKey | InvalidSession | ValidationError | StorageError,
      Principal
    >
    /** Deletes an open link, which stops working. A session that was started with it continues. */
    readonly delete: (
      id: SignInLinkId
    ) => Effect.Effect<void, SignInLinkNotFound | ValidationError | StorageError, Principal>
    /**
     * Signs in with the token of a link, and returns a new session with its token. Then the link stops working. Fails with
     * `SignInLinkInvalid` for an unknown, used, deleted or expired link alike.
     *
     * @param previous the token of the session that the browser has had so far, which ends. Null: none
     */
    readonly use: (
      token: Redacted.Redacted<string>,
      previous: Redacted.Redacted<string> | null
    ) => Effect.Effect<SignedIn, SignInLinkInvalid | ValidationError | StorageError>
  }
>()("@frontdesk/core/people/SignInLinks") {
  /** The service over the stores of accounts and people. */
  static readonly layer: Layer.Layer<
    SignInLinks,
    never,
    AccountStore | ApiKeyStore | AuditStore | MemberStore | SessionStore | SignInLinkStore | Transaction | Crypto
  > = Layer.effect(
    SignInLinks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const ends = yield* SessionEnd.make
      const limits = yield* AccountLimits
      const settings = yield* CurrentSessionSettings
      const accounts = yield* AccountStore
      const members = yield* MemberStore
      const sessions = yield* SessionStore
      const links = yield* SignInLinkStore
      const crypto = yield* Crypto
      const transaction = yield* Transaction
      const requireGrantable = yield* GrantCheck.make
      // As many as an account may have, so that the list has all of them.
      const maxOpen = Math.min(limits.members * settings.maxLinks + limits.signInLinks, Number.MAX_SAFE_INTEGER)

      /** Issues a link. `find` reads for whom it is, after the account is locked. */
      const issue = Effect.fnUntraced(function* <E>(
        find: Effect.Effect<LinkOwner.LinkPerson, E, Principal>,
        { expiresInMinutes }: CreateOperatorLink
      ) {
        const { account } = yield* Principal
        yield* accounts.lockFunds(account.id)
        const now = yield* DateTime.now
        const who = yield* find
        yield* requireGrantable(permissionsOf(who.role))
        if (who.memberId === null) {
          const present = links.count(account.id, null, now)
          yield* requireCapacity(
            limits,
            "signInLinks",
            Effect.map(present, (count) => ({ count }))
          )
        } else yield* links.keepNewest(account.id, who.memberId, settings.maxLinks - 1, now)
        const token = yield* SignInToken.generate(crypto)
        const link = yield* links.insert({
          ...who,
          accountId: account.id,
          digest: yield* SignInToken.digestOf(crypto, token),
          createdAt: now,
          expiresAt: Timestamp.after(now, Duration.minutes(expiresInMinutes ?? defaultLinkMinutes))
        })
        yield* audit.created("signInLinks.create", SessionAudit.linkKind, link)
        return { link, token }
      }, transaction.run)

      const findMember = Effect.fnUntraced(function* (memberId: MemberId) {
        const { account } = yield* Principal
        const found = yield* members.find(account.id, memberId)
        if (Option.isNone(found)) return yield* new MemberNotFound({ memberId })
        const { id, name, role } = found.value
        return { memberId: id, userId: null, name, role, isOperator: false }
      })

      const create = Tracing.operation("SignInLinks.create")(function* (given: CreateSignInLink) {
        const owner = yield* Effect.fromResult(LinkOwner.read(given))
        return yield* issue<MemberNotFound | StorageError>(
          owner._tag === "User" ? Effect.succeed(owner.user) : findMember(owner.memberId),
          given
        )
      })

      const createForOperator = Tracing.operation("SignInLinks.createForOperator")(function* (
        given: CreateOperatorLink
      ) {
        return yield* issue(Effect.succeed(LinkOwner.operator(given.name ?? "Operator")), given)
      })

      /** Ends the session that the browser has had, of whichever account it is. */
      const endPrevious = Effect.fnUntraced(function* (previous: Redacted.Redacted<string> | null) {
        if (previous === null) return
        const found = yield* sessions.findByDigest(yield* SignInToken.digestOf(crypto, previous))
        if (Option.isSome(found)) yield* transaction.run(ends.signOut(found.value.session))
      })

      const signIn = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
        const digest = yield* SignInToken.digestOf(crypto, token)
        const known = yield* links.findByDigest(digest)
        if (Option.isNone(known)) return yield* new SignInLinkInvalid({})
        const { accountId, id } = known.value
        // Other changes of the account's people wait. So the member is not removed, and its role stays.
        yield* accounts.lockFunds(accountId)
        const found = yield* links.findByDigest(digest)
        const now = yield* DateTime.now
        const isOpen = Option.exists(found, ({ expiresAt }) => DateTime.isGreaterThan(expiresAt, now))
        if (Option.isNone(found) || !isOpen || !(yield* links.delete(accountId, id))) {
          return yield* new SignInLinkInvalid({})
        }
        const { isOperator, memberId, name, role, userId } = found.value
        const max = memberId === null ? settings.maxWithoutMember : settings.maxOfMember
        yield* sessions.keepNewest(accountId, memberId, max - 1, now)
        const value = yield* SignInToken.generate(crypto)
        const endsAt = Timestamp.after(now, settings.lifetime)
        const session = yield* sessions.insert({
          accountId,
          memberId,
          userId,
          name,
          role,
          isOperator,
          digest: yield* SignInToken.digestOf(crypto, value),
          createdAt: now,
          lastUsedAt: now,
          expiresAt: DateTime.min(Timestamp.after(now, settings.idle), endsAt),
          endsAt
        })
        if (memberId !== null) yield* members.touch(accountId, memberId, now)
        yield* SessionAudit.byPersonOf(session)(audit.created("sessions.start", SessionAudit.kind, session))
        return { session, token: value }
      }, transaction.run)

      const use = Tracing.operation("SignInLinks.use")(function* (
        token: Redacted.Redacted<string>,
        previous: Redacted.Redacted<string> | null
      ) {
        const signedIn = yield* signIn(token)
        // Afterwards and apart, because the session may be of another account, whose row would be a second lock. The link is
        // used now, so a failure must not take the new session from the person.
        yield* Outage.survive("Warn", "The former session of a browser could not be ended")(endPrevious(previous))
        return signedIn
      })

      return Input.service(SignInLinks, inputs, {
        list: Effect.gen(function* () {
          const { account } = yield* Principal
          return yield* links.list(account.id, yield* DateTime.now, maxOpen)
        }),
        create,
        createForOperator,
        delete: Tracing.operation("SignInLinks.delete")(function* (id) {
          const { account } = yield* Principal
          if (!(yield* links.delete(account.id, id))) return yield* new SignInLinkNotFound({ signInLinkId: id })
          yield* audit.record("signInLinks.delete", { accountId: account.id, type: "sign_in_link", id })
        }, transaction.run),
        use
      })
    })
  )
}
