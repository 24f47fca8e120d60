import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as ApiKeyValue from "@frontdesk/core/access/ApiKeyValue"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"
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

/** Makes the demo account. */
const provision = Effect.fnUntraced(function* (database: DatabaseUrl) {
  const provisioning = yield* Provisioning
  const key = yield* ApiKeyValue.generate("test")
  yield* Effect.catchTags(provisioning.apply(yield* DemoDocument.make(key)), {
    ProvisioningError: Effect.die,
    ValidationError: Effect.die
  })
  yield* DemoKey.save(database, key)
  return key
})

/** The key of a demo account that is there: the value kept, or, where that is lost, a new one. */
const recall = Effect.fnUntraced(
  function* (database: DatabaseUrl, accountId: AccountId) {
    const kept = yield* DemoKey.load(database)
    if (Option.isSome(kept) && (yield* isUsable(kept.value))) return kept.value
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
    // It never expires, and is rotated whatever value works.
    ApiKeyExpired: Effect.die,
    ApiKeyInGrace: Effect.die
  })
)

/**
 * Sees to it that there is a demo account to use, and answers what to tell a newcomer.
 *
 * The account is made in a database without accounts alone, and by one of the servers that start on it at once. Its key
 * is made at random, kept, and printed at every start; an operator who revokes it turns it off for good.
 */
export const welcome = Effect.fn("Demo.welcome")(function* (
  database: DatabaseUrl,
  url: string,
  outside: DemoText.Outside
) {
  const refs = yield* ProvisioningStore
  const accountStore = yield* AccountStore
  const transaction = yield* Transaction
  const demo = yield* transaction.run(
    Effect.gen(function* () {
      yield* refs.lock
      const known = yield* refs.find({ kind: "account", accountRef: "", ref: demoRef })
      if (Option.isSome(known)) return { key: yield* recall(database, AccountId.make(known.value)) }
      return (yield* accountStore.list(null, 1)).length > 0 ? null : { key: yield* provision(database) }
    })
  )
  if (demo === null) return "The database has accounts of its own, so there is no demo account in it."
  return demo.key === undefined
    ? "The demo key was revoked, so there are no requests to show."
    : DemoText.make(url, demo.key, yield* DateTime.now, database, outside)
})
