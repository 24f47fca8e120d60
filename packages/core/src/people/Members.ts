import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { InvalidKey, InvalidSession, PermissionDenied } from "../access/AccessError.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { ApiKeyStore } from "../access/ApiKeyStore.ts"
import * as GrantCheck from "../access/GrantCheck.ts"
import type { Member } from "../access/Member.ts"
import * as MemberAudit from "../access/MemberAudit.ts"
import { type MemberRole, permissionsOf } from "../access/MemberRole.ts"
import { MemberStore } from "../access/MemberStore.ts"
import { MemberId } from "../access/Person.ts"
import { Principal } from "../access/Principal.ts"
import type { SessionStore } from "../access/SessionStore.ts"
import type { SignInLinkStore } from "../access/SignInLinkStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as SignInMail from "./SignInMail.ts"
import { CurrentDashboardSite } from "./DashboardSite.ts"
import { CreateMember, PatchMember } from "./MemberInput.ts"
import * as MemberRule from "./MemberRule.ts"
import * as SessionEnd from "./SessionEnd.ts"
import { LastOwner, MailNotOffered, MemberExists, MemberNotFound } from "./PeopleError.ts"

const inputs: Input.Inputs<Members["Service"]> = {
  get: [{ id: MemberId }],
  create: [{ member: CreateMember }],
  patch: [{ id: MemberId }, { body: PatchMember }],
  delete: [{ id: MemberId }]
}

/** The errors of a caller that may not grant what it wants to grant. */
type GrantError = PermissionDenied | InvalidKey | InvalidSession

/**
 * The members of the caller's account: the people who may sign in to its dashboard.
 *
 * A caller gives only roles whose permissions it has itself. All changes of the people of an account run one after the other, so
 * that an account that has an owner keeps one (D-MEM-4).
 */
export class Members extends Context.Service<
  Members,
  {
    /** Returns all members of the account, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Member>, StorageError, Principal>
    /** Returns a member of the account. */
    readonly get: (id: MemberId) => Effect.Effect<Member, MemberNotFound | ValidationError | StorageError, Principal>
    /**
     * Creates a member and returns it. With `sendLink` the member is mailed a link with which to sign in.
     *
     * Fails with `MemberExists` when the account has a member with the mailbox. Fails with `LimitReached` when it has the
     * maximum number of members, and with `PermissionDenied` when the caller lacks a permission of the role. Fails with
     * `MailNotOffered` for `sendLink` on a server that mails no links.
     */
    readonly create: (
      member: CreateMember
    ) => Effect.Effect<
      Member,
      MemberExists | MailNotOffered | LimitReached | GrantError | ValidationError | StorageError,
      Principal
    >
    /**
     * Changes the name or the role of a member and returns it. A new role acts at once, also in sessions. One with more
     * permissions ends the sessions and the open links of the member, who signs in again (D-MEM-7).
     *
     * Fails with `LastOwner` when the account would have no owner any more, and with `PermissionDenied` when the caller lacks a
     * permission of the new role.
     */
    readonly patch: (
      id: MemberId,
      body: PatchMember
    ) => Effect.Effect<Member, MemberNotFound | LastOwner | GrantError | ValidationError | StorageError, Principal>
    /**
     * Removes a member. Its sessions and links end at once. Fails with `LastOwner` when the account would have no owner any
     * more. A caller may remove any other member, also one with more permissions.
     */
    readonly delete: (
      id: MemberId
    ) => Effect.Effect<void, MemberNotFound | LastOwner | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/people/Members") {
  /** The service over the stores of accounts and people. */
  static readonly layer: Layer.Layer<
    Members,
    never,
    | AccountStore
    | ApiKeyStore
    | AuditStore
    | MemberStore
    | SessionStore
    | SignInLinkStore
    | Mailer
    | Outbox
    | Transaction
  > = Layer.effect(
    Members,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const ends = yield* SessionEnd.make
      const limits = yield* AccountLimits
      const accounts = yield* AccountStore
      const members = yield* MemberStore
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const site = yield* CurrentDashboardSite
      const transaction = yield* Transaction
      const requireGrantable = yield* GrantCheck.make

      const find = Effect.fnUntraced(function* (id: MemberId) {
        const { account } = yield* Principal
        const found = yield* members.find(account.id, id)
        return Option.isSome(found) ? found.value : yield* new MemberNotFound({ memberId: id })
      })

      /** Makes other changes of the account's people wait until the transaction ends. */
      const lock = Effect.flatMap(Principal, ({ account }) => accounts.lockFunds(account.id))

      /** Fails with `LastOwner` when the account has an owner and would have none once the member has this role. */
      const requireOwner = Effect.fnUntraced(function* (member: Member, next: MemberRole | null) {
        if (!MemberRule.keepsOwner(yield* members.list(member.accountId), member.id, next)) {
          return yield* new LastOwner({ memberId: member.id })
        }
      })

      const create = Tracing.operation("Members.create")(
        function* ({ email, name, role, sendLink }: CreateMember) {
          const { account } = yield* Principal
          if (sendLink === true && SignInMail.offered(mailer, site) === null) return yield* new MailNotOffered({})
          yield* lock
          yield* requireGrantable(permissionsOf(role))
          yield* requireCapacity(
            limits,
            "members",
            Effect.map(members.list(account.id), ({ length }) => ({ count: length }))
          )
          const now = yield* DateTime.now
          const member = yield* Effect.catchIf(
            members.insert({ accountId: account.id, email, name, role, createdAt: now }),
            ({ reason }) => reason === "duplicate",
            () => Effect.fail(new MemberExists({}))
          )
          yield* audit.created("members.create", MemberAudit.kind, member)
          if (sendLink === true) {
            yield* outbox.add(account.id, [
              { _tag: "SignIn", memberId: member.id, kind: "invitation", requestedAt: now }
            ])
          }
          return member
        },
        transaction.run,
        Effect.tap(() => outbox.notify)
      )

      const patch = Tracing.operation("Members.patch")(function* (id: MemberId, { name, role }: PatchMember) {
        yield* lock
        const before = yield* find(id)
        const after = { ...before, name: name ?? before.name, role: role ?? before.role }
        if (after.role !== before.role) {
          yield* requireGrantable(permissionsOf(after.role))
          yield* requireOwner(before, after.role)
        }
        yield* members.update(after)
        yield* audit.changed("members.patch", MemberAudit.kind, before, after)
        if (MemberRule.isRaised(before.role, after.role)) {
          // Who could sign in as the member before must not gain the permissions of the new role in this way.
          yield* ends.everywhere(after.accountId, id)
        }
        return after
      }, transaction.run)

      const remove = Tracing.operation("Members.delete")(function* (id: MemberId) {
        yield* lock
        const member = yield* find(id)
        yield* requireOwner(member, null)
        yield* members.delete(member.accountId, id)
        yield* audit.deleted("members.delete", MemberAudit.kind, member)
      }, transaction.run)

      return Input.service(Members, inputs, {
        list: Effect.flatMap(Principal, ({ account }) => members.list(account.id)),
        get: (id) => find(id),
        create,
        patch,
        delete: remove
      })
    })
  )
}
