import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { MemberRole, permissionsOf } from "@frontdesk/core/access/MemberRole"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer, type MailerError } from "@frontdesk/core/mail/Mailer"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { CurrentDashboardSite, type DashboardSite } from "@frontdesk/core/people/DashboardSite"
import { Members } from "@frontdesk/core/people/Members"
import { Sessions } from "@frontdesk/core/people/Sessions"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { SignInMails } from "@frontdesk/core/people/SignInMails"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"

/** The URL of the dashboard of the tests. */
export const url = "https://desk.example.com/dashboard"

/** Returns the services about people, on a memory storage with a fake mailer. */
export const servicesAt = (site: DashboardSite) =>
  Layer.mergeAll(Members.layer, SignInLinks.layer, SignInMails.layer, Sessions.layer, OwnApiKeys.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Outbox.layer)),
    Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, FakeMailer.layer)),
    Layer.provideMerge(Layer.succeed(CurrentDashboardSite, site))
  )

/** The services about people on a server with a public URL. */
export const services = servicesAt({ url, isPublic: true })

/** The services with the worker that sends mails. By default it sends them with the fake mailer. */
export const servicesWithWorker = (mailer: typeof FakeMailer.layer = FakeMailer.layer) =>
  Layer.provide(OutboxWorker.layer, mailer).pipe(
    Layer.provideMerge(Layer.provideMerge(services, FakeCalendarSync.layer))
  )

/** Returns a fake mailer that fails to send sign-in links. */
export const failingMailer = (error: MailerError): typeof FakeMailer.layer =>
  Layer.effect(
    Mailer,
    Effect.map(Mailer, (mailer) => Mailer.of({ ...mailer, sendSignIn: () => Effect.fail(error) }))
  ).pipe(Layer.provideMerge(FakeMailer.layer))

/** Requests a mail with a sign-in link for an address, and waits until the service has looked up the address. */
export const requestMail = Effect.fnUntraced(function* (email: string) {
  yield* (yield* SignInMails).request(email)
  for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
})

/** Returns the tag of the error of an effect that must fail. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** The permissions of a caller, often exactly those of a role, and a role that it gives. */
export interface PermissionsAndRole {
  readonly has: ReadonlyArray<Permission.Permission>
  readonly role: MemberRole
}

/** Draws the permissions of a caller and a role. */
export const permissionsAndRole: fc.Arbitrary<PermissionsAndRole> = fc.record({
  has: fc.oneof(fc.subarray([...Permission.all]), fc.constantFrom(...MemberRole.literals.map(permissionsOf))),
  role: fc.constantFrom(...MemberRole.literals)
})

/** Makes an account, and returns the services with functions that run an effect for a caller of the account. */
export const makeAccount = Effect.gen(function* () {
  const account = yield* (yield* Accounts).create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  const [members, links, sessions] = [yield* Members, yield* SignInLinks, yield* Sessions]
  const as =
    (principal: Principal["Service"]) =>
    <A, E>(effect: Effect.Effect<A, E, Principal>) =>
      Effect.provideService(effect, Principal, principal)
  const program = as(ofAccount(account))
  let count = 0
  return {
    account,
    members,
    links,
    sessions,
    as,
    /** Runs an effect for a program with every permission. */
    program,
    /** Runs an effect for a program with these permissions. */
    having: (permissions: ReadonlyArray<Permission.Permission>) =>
      as({ ...ofAccount(account), permissions: new Set(permissions) }),
    add: (role: MemberRole, email = `jo${(count += 1)}@example.com`) =>
      program(members.create({ email, name: "Jo", role })),
    /** Signs a member in, and returns the token of the session. */
    enter: Effect.fnUntraced(function* (memberId: Effect.Success<ReturnType<typeof members.get>>["id"]) {
      const { token } = yield* program(links.create({ memberId }))
      return (yield* links.use(token, null)).token
    })
  }
})
