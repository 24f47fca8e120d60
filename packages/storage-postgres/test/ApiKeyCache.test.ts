import { describe, expect, it } from "@effect/vitest"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { apiKeyCacheSuite, makeProcess } from "@frontdesk/testing/suite/apiKeyCacheSuite"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const storage = (url: string) => PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 3 })

// Without PostgresSignals there are no notifications, as when they are lost.
apiKeyCacheSuite(
  "PostgreSQL without notifications",
  Effect.flatMap(TestDatabase.withTables, (url) => Effect.all([makeProcess(storage(url)), makeProcess(storage(url))])),
  { elsewhere: "after a second", runs: 12 }
)

const run = promisify(execFile)

const revokeWorker = fileURLToPath(new URL("revokeWorker.ts", import.meta.url))

const node = (url: string) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(ApiKeys.layer, AccessChanges.layer).pipe(
        Layer.provideMerge(PostgresSignals.layer()),
        Layer.provideMerge(Layer.merge(storage(url), Crypto.layerWebCrypto))
      )
    )
  )

/** Builds a node and waits until it listens: then it counts its own signals. */
const listeningNode = Effect.fnUntraced(function* (url: string) {
  const built = yield* node(url)
  yield* (yield* Context.get(built, AccessChanges).signal.listen).await
  return built
})

/** Makes a key and uses it on a node, so that the node has cached it. */
const cachedKey = Effect.fnUntraced(function* (on: Effect.Success<ReturnType<typeof node>>) {
  const keys = Context.get(on, ApiKeys)
  const account = yield* Effect.provide(Samples.makeAccount(), on)
  const { apiKey, value } = yield* keys.create({ accountId: account.id, name: "Key", permissions: [] })
  yield* keys.authenticate(value)
  return { keys, accountId: account.id, id: apiKey.id, value }
})

describe("cached API keys on PostgreSQL", () => {
  it.effect("a notification ends a key that another node has revoked, while time stands still (D-KEY-13)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.withTables
      const [one, two] = [yield* listeningNode(url), yield* listeningNode(url)]
      const { accountId, id, keys, value } = yield* cachedKey(one)
      const notified = yield* Context.get(one, AccessChanges).signal.listen
      yield* Context.get(two, ApiKeys).revoke(accountId, id)
      yield* notified.await
      expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a revocation by another operating system process that sends no notification acts after a second (D-KEY-13)",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.withTables
        const { accountId, id, keys, value } = yield* cachedKey(yield* listeningNode(url))
        yield* Effect.promise(() => run(process.execPath, [revokeWorker, url, String(accountId), String(id)]))
        yield* TestClock.adjust("1 second")
        expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
      }).pipe(Effect.scoped)
  )
})
