import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Member } from "../access/Member.ts"
import { MemberStore } from "../access/MemberStore.ts"
import { SignInLinkStore } from "../access/SignInLinkStore.ts"
import { Mailer } from "../mail/Mailer.ts"
import { Outbox } from "../outbox/Outbox.ts"
import * as Outage from "../storage/Outage.ts"
import { Transaction } from "../storage/Transaction.ts"
import { EmailAddress } from "../values/EmailAddress.ts"
import * as Input from "../values/Input.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { CurrentDashboardSite } from "./DashboardSite.ts"
import * as SignInMail from "./SignInMail.ts"
import { CurrentSessionSettings } from "./SessionSettings.ts"

/** The minimum time between two sign-in mails to one member. */
export const mailInterval: Duration.Duration = Duration.minutes(1)

/** The maximum number of accounts whose members with one address are mailed. */
export const maxAccounts = 10

/** The maximum number of requests that a process looks up at once. Further ones are dropped. */
export const maxPending = 32

const inputs: Input.Inputs<SignInMails["Service"]> = { request: [{ email: EmailAddress }] }

/** Mails members links with which to sign in, when they ask for one by their address (D-MEM-9). */
export class SignInMails extends Context.Service<
  SignInMails,
  {
    /** Whether this server mails sign-in links: it has a mail server, and knows the URL of its dashboard. */
    readonly enabled: boolean
    /**
     * Mails a link to each member with this address, in at most ten accounts. It returns before it has looked for them, so that
     * neither its result nor its time reveals whether there is one. A member is mailed at most once a minute, and only while it
     * has fewer than five open links.
     */
    readonly request: (email: string) => Effect.Effect<void, ValidationError>
  }
>()("@frontdesk/core/people/SignInMails") {
  /** The service over the store of members and the outbox. Lookups that still run when the scope ends are interrupted. */
  static readonly layer: Layer.Layer<
    SignInMails,
    never,
    MemberStore | SignInLinkStore | Mailer | Outbox | Transaction
  > = Layer.effect(
    SignInMails,
    Effect.gen(function* () {
      const members = yield* MemberStore
      const links = yield* SignInLinkStore
      const mailer = yield* Mailer
      const outbox = yield* Outbox
      const transaction = yield* Transaction
      const site = yield* CurrentDashboardSite
      const { maxLinks } = yield* CurrentSessionSettings
      const scope = yield* Effect.scope
      // A lookup must not use the context of the request, whose transaction may end before it.
      const context = yield* Effect.context<never>()
      const enabled = SignInMail.offered(mailer, site) !== null
      let pending = 0

      const plan = Effect.fnUntraced(function* ({ accountId, id }: Member) {
        const now = yield* DateTime.now
        if ((yield* links.count(accountId, id, now)) >= maxLinks) return
        if (!(yield* members.beginMail(accountId, id, now, Timestamp.before(now, mailInterval)))) return
        yield* outbox.add(accountId, [{ _tag: "SignIn", memberId: id, kind: "sign_in", requestedAt: now }])
      }, transaction.run)

      const lookUp = Effect.fnUntraced(function* (email: string) {
        for (const member of yield* members.listByEmail(email, maxAccounts)) yield* plan(member)
        yield* outbox.notify
      })

      const request = (email: string): Effect.Effect<void> =>
        Effect.suspend(() => {
          if (!enabled || pending >= maxPending) return Effect.void
          pending += 1
          const work = lookUp(email).pipe(
            Outage.survive("Warn", "A sign-in mail could not be requested"),
            Effect.ensuring(Effect.sync(() => (pending -= 1)))
          )
          const detached: Effect.Effect<void> = Effect.updateContext(work, () => context)
          return Effect.asVoid(Effect.forkIn(detached, scope))
        })

      return Input.service(SignInMails, inputs, { enabled, request })
    })
  )
}
