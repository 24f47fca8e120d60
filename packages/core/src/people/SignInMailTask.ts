import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { AccountStore } from "../access/AccountStore.ts"
import { MemberStore } from "../access/MemberStore.ts"
import type { SignInLink } from "../access/Session.ts"
import * as SessionAudit from "../access/SessionAudit.ts"
import { SignInLinkStore } from "../access/SignInLinkStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { Mailer, MailerError, type SignInMailKind } from "../mail/Mailer.ts"
import { OutboxStore } from "../outbox/OutboxStore.ts"
import type { OutboxTask, OutboxWork } from "../outbox/OutboxTask.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { CurrentDashboardSite, signInPath } from "./DashboardSite.ts"
import { defaultLinkMinutes, maxLinkMinutes } from "./MemberInput.ts"
import { CurrentSessionSettings } from "./SessionSettings.ts"
import * as SignInMail from "./SignInMail.ts"
import * as SignInToken from "./SignInToken.ts"

/** How long a mailed link can be used. */
const lifetimes: { readonly [K in SignInMailKind]: Duration.Duration } = {
  sign_in: Duration.minutes(defaultLinkMinutes),
  invitation: Duration.minutes(maxLinkMinutes)
}

/** How long after its request a mail is still sent. A later one would surprise its recipient. */
const maxDelays: { readonly [K in SignInMailKind]: Duration.Duration } = {
  sign_in: Duration.hours(1),
  invitation: Duration.days(7)
}

type SignInWork = Extract<OutboxWork, { readonly _tag: "SignIn" }>

/** A function that mails a member a sign-in link, and completes the task. */
export type SignInMailTask = (task: OutboxTask, work: SignInWork) => Effect.Effect<void, MailerError | StorageError>

/**
 * Makes the function over the `Mailer` of the context. The link is made when its mail is sent: the task has no token, because
 * the database never has one. So each attempt mails another link, and an attempt that certainly failed deletes its link
 * (D-MEM-9).
 */
export const make: Effect.Effect<
  SignInMailTask,
  never,
  AccountStore | AuditStore | MemberStore | SignInLinkStore | OutboxStore | Mailer | Crypto | Transaction
> = Effect.gen(function* () {
  const audit = yield* AuditTrail.make
  const accounts = yield* AccountStore
  const members = yield* MemberStore
  const links = yield* SignInLinkStore
  const store = yield* OutboxStore
  const mailer = yield* Mailer
  const crypto = yield* Crypto
  const transaction = yield* Transaction
  const offered = SignInMail.offered(mailer, yield* CurrentDashboardSite)
  const { maxLinks } = yield* CurrentSessionSettings

  /** Stores a link for the member, if there still is one. */
  const issue = Effect.fnUntraced(function* ({ accountId }: OutboxTask, { kind, memberId }: SignInWork) {
    yield* accounts.lockFunds(accountId)
    const account = yield* accounts.find(accountId)
    const member = yield* members.find(accountId, memberId)
    if (Option.isNone(account) || Option.isNone(member)) return Option.none()
    const now = yield* DateTime.now
    const token = yield* SignInToken.generate(crypto)
    const { email, name, role } = member.value
    // Anybody can ask for a mail with an address, so such a mail must not replace a link that works.
    if (kind === "sign_in" && (yield* links.count(accountId, memberId, now)) >= maxLinks) return Option.none()
    yield* links.keepNewest(accountId, memberId, maxLinks - 1, now)
    const link = yield* links.insert({
      accountId,
      memberId,
      userId: null,
      name,
      role,
      isOperator: false,
      digest: yield* SignInToken.digestOf(crypto, token),
      createdAt: now,
      expiresAt: Timestamp.after(now, lifetimes[kind])
    })
    yield* audit.created("signInLinks.create", SessionAudit.linkKind, link)
    return Option.some({ account: account.value, email, link, name, token })
  }, transaction.run)

  /** Deletes a link whose mail has certainly not arrived. */
  const withdraw = Effect.fnUntraced(function* ({ accountId, id }: SignInLink) {
    if (!(yield* links.delete(accountId, id))) return
    yield* audit.record("signInLinks.delete", { accountId, type: "sign_in_link", id })
  }, transaction.run)

  const send = Effect.fnUntraced(function* (task: OutboxTask, work: SignInWork) {
    const lateAt = Timestamp.after(work.requestedAt, maxDelays[work.kind])
    if (DateTime.isGreaterThan(yield* DateTime.now, lateAt)) return
    // The task waits, because another node may send mail, or this one after a change of its settings (D-MAIL-8).
    if (offered === null) return yield* noMail
    const issued = yield* issue(task, work)
    if (Option.isNone(issued)) return
    const { account, email, link, name, token } = issued.value
    yield* offered
      .send({
        kind: work.kind,
        linkId: link.id,
        email,
        name,
        accountName: account.name,
        url: Redacted.make(`${offered.url}${signInPath(Redacted.value(token))}`, { label: "sign-in link" }),
        createdAt: link.createdAt,
        expiresAt: link.expiresAt,
        timeZone: account.settings.timeZone
      })
      .pipe(Effect.tapError((error) => (error.mayHaveArrived ? Effect.void : withdraw(link))))
  })

  return (task, work) => Effect.andThen(send(task, work), store.complete(task))
})

const noMail = new MailerError({ reason: "transport", cause: new Error("this server mails no sign-in links") })
