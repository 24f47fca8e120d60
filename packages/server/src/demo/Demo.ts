import { AccountId } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { CurrentDashboardSite, signInPath } from "@frontdesk/core/people/DashboardSite"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as ApiKeyValue from "@frontdesk/core/access/ApiKeyValue"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as DashboardUrl from "../DashboardUrl.ts"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"
import * as DemoHistory from "./DemoHistory.ts"
import * as DemoDocument from "./DemoDocument.ts"
import * as DemoKey from "./DemoKey.ts"
import * as DemoText from "./DemoText.ts"

const { demoRef } = DemoDocument

const isUsable = Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
  const apiKeys = yield* ApiKeys
  return yield* apiKeys.authenticate(key).pipe(
    Effect.as(true),
    Effect.catchTag("InvalidKey", () => Effect.succeed(false))
  )
})

/** Creates the demo account and stores the value of its key. */
const provision = Effect.fnUntraced(function* (database: DatabaseUrl) {
  const provisioning = yield* Provisioning
  const key = yield* ApiKeyValue.generate("test", yield* (yield* InstallationStore).cell)
  yield* provisioning
    .apply(yield* DemoDocument.make(key))
    .pipe(DemoHistory.atBeginning, Effect.catchTags({ ProvisioningError: Effect.die, ValidationError: Effect.die }))
  yield* DemoKey.save(database, key)
  return key
})

/**
 * Returns the key of an existing demo account: the stored value, or a new value if that is lost or no longer works.
 * Returns undefined if the operator has revoked the key, or the account has no key with the ref of the demo.
 */
const existingKey = Effect.fnUntraced(
  function* (database: DatabaseUrl, accountId: AccountId) {
    const stored = yield* DemoKey.load(database)
    if (Option.isSome(stored) && (yield* isUsable(stored.value))) return stored.value
    const refs = yield* ProvisioningStore
    const apiKeys = yield* ApiKeys
    const id = yield* refs.find({ kind: "api_key", accountRef: demoRef, ref: demoRef })
    if (Option.isNone(id)) return undefined
    const { value } = yield* apiKeys.rotate(accountId, ApiKeyId.make(id.value), { grace: Duration.zero, force: true })
    yield* DemoKey.save(database, value)
    return value
  },
  Effect.catchTags({
    ApiKeyRevoked: () => Effect.succeed(undefined),
    ApiKeyNotFound: Effect.die,
    // The key never expires, and `force` rotates it in any case.
    ApiKeyExpired: Effect.die,
    ApiKeyInGrace: Effect.die
  })
)

const accountOf = Effect.fnUntraced(function* (id: AccountId) {
  const accounts = yield* Accounts
  return yield* accounts.get(id).pipe(Effect.catchTag(["AccountNotFound", "ValidationError"], Effect.die))
})

/** For how many minutes the sign-in link of the demo works: a day. */
const linkMinutes = 1_440

/** Returns a link with which one person signs in as owner of the demo account and as operator, or null when it has too many open ones. */
const signInLink = Effect.fnUntraced(
  function* (url: string, accountId: AccountId) {
    const account = yield* accountOf(accountId)
    const links = yield* SignInLinks
    const { token } = yield* links
      .createForOperator({ name: "Demo", expiresInMinutes: linkMinutes })
      .pipe(Effect.provideService(Principal, ofAccount(account)))
    // A browser that signs in elsewhere than at the public URL is refused (D-MEM-11).
    const site = yield* CurrentDashboardSite
    const dashboard = site?.isPublic === true ? site.url : `${url}${DashboardUrl.mount}`
    return `${dashboard}${signInPath(Redacted.value(token))}`
  },
  Effect.catchTags({
    LimitReached: () => Effect.succeed(null),
    InvalidKey: Effect.die,
    InvalidSession: Effect.die,
    PermissionDenied: Effect.die,
    ValidationError: Effect.die
  })
)

/**
 * Creates the demo account if the database has no accounts, and returns the text that the server prints.
 *
 * If several servers start on one database at once, one of them creates the account with a random key, which later starts
 * print again. An operator who revokes the key turns the demo off permanently.
 */
export const welcome = Tracing.operation("Demo.welcome")(function* (
  database: DatabaseUrl,
  url: string,
  services: DemoText.Services
) {
  const refs = yield* ProvisioningStore
  const accountStore = yield* AccountStore
  const transaction = yield* Transaction
  const demo = yield* transaction.run(
    Effect.gen(function* () {
      yield* refs.lock
      const known = yield* refs.find({ kind: "account", accountRef: "", ref: demoRef })
      if (Option.isSome(known)) {
        const accountId = AccountId.make(known.value)
        return { accountId, key: yield* existingKey(database, accountId), isNew: false }
      }
      if ((yield* accountStore.list(null, 1)).length > 0) return null
      const key = yield* provision(database)
      const created = yield* refs.find({ kind: "account", accountRef: "", ref: demoRef })
      return { accountId: AccountId.make(Option.getOrThrow(created)), key, isNew: true }
    })
  )
  if (demo?.isNew === true) yield* DemoHistory.make(yield* accountOf(demo.accountId))
  if (demo !== null && demo.key !== undefined) {
    const link = yield* signInLink(url, AccountId.make(demo.accountId))
    return DemoText.make(url, demo.key, link, yield* DateTime.now, database, services)
  }
  if (demo === null) return "The database already has accounts, so no demo account was created."
  return "The demo key was revoked, so there are no requests to try."
})
