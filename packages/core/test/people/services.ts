import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { MemberRole } from "@frontdesk/core/access/MemberRole"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import type * as Permission from "@frontdesk/core/access/Permission"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { CurrentDashboardSite, type DashboardSite } from "@frontdesk/core/people/DashboardSite"
import { Members } from "@frontdesk/core/people/Members"
import { Sessions } from "@frontdesk/core/people/Sessions"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { SignInMails } from "@frontdesk/core/people/SignInMails"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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
