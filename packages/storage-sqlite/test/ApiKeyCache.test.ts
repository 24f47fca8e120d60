import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { apiKeyCacheSuite, makeProcess } from "@frontdesk/testing/suite/apiKeyCacheSuite"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import { hash } from "node:crypto"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { folder } from "./SqlClientSuite.ts"

const newFile = Effect.map(folder, (path) => Path.join(path, "frontdesk.db"))

const open = (filename: string) => makeProcess(SqliteStorage.layer({ filename, synchronous: "NORMAL" }))

const run = promisify(execFile)

const revokeWorker = fileURLToPath(new URL("revokeWorker.ts", import.meta.url))

apiKeyCacheSuite(
  "SQLite in a file",
  Effect.flatMap(newFile, (filename) => Effect.all([open(filename), open(filename)])),
  { elsewhere: "at once", runs: 40 }
)

/** Digests without a promise, as the server does, so that a look-up of a key may share a transaction with other reads. */
const crypto = Layer.effect(
  Crypto,
  Effect.map(Crypto, (web) => Crypto.of({ ...web, sha256Hex: (data) => Effect.succeed(hash("sha256", data, "hex")) }))
).pipe(Layer.provide(Crypto.layerWebCrypto))

/** Waits for another turn of the event loop, in which the version of the file is read again. */
const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Opens a database with a key that has just been used, so that it is cached. */
const setUp = Effect.gen(function* () {
  const filename = yield* newFile
  const opened = yield* makeProcess(SqliteStorage.layer({ filename, synchronous: "NORMAL" }), crypto)
  const keys = Context.get(opened, ApiKeys)
  const account = yield* Effect.provide(Samples.makeAccount(), opened)
  const { apiKey, value } = yield* keys.create({ accountId: account.id, name: "Key", permissions: [] })
  yield* keys.authenticate(value)
  return { filename, keys, accounts: Context.get(opened, AccountStore), accountId: account.id, id: apiKey.id, value }
})

describe("cached API keys on SQLite", () => {
  it.effect("a revocation by another operating system process acts at once, while time stands still (D-KEY-13)", () =>
    Effect.gen(function* () {
      const { accountId, filename, id, keys, value } = yield* setUp
      yield* Effect.promise(() => run(process.execPath, [revokeWorker, filename, String(accountId), String(id)]))
      expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
    }).pipe(Effect.scoped)
  )

  it.live("a revocation by another process acts at once also after other reads in the same callback (D-LITE-14)", () =>
    Effect.gen(function* () {
      const { accountId, accounts, filename, id, keys, value } = yield* setUp
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (database) => Effect.sync(() => database.close())
      )
      yield* nextTurn
      yield* accounts.find(accountId)
      other.prepare("UPDATE api_key SET revoked_at = 1 WHERE id = ?").run(id)
      expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
      yield* nextTurn
      expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
    }).pipe(Effect.scoped)
  )

  it.effect("permissions that another process changes by a statement act at once (D-KEY-13)", () =>
    Effect.gen(function* () {
      const { filename, id, keys, value } = yield* setUp
      const other = Context.get(yield* Layer.build(SqliteStorage.layerClient({ filename })), SqlClient.SqlClient)
      yield* other`UPDATE api_key SET permissions = '["can_read_calls"]' WHERE id = ${id}`
      expect([...(yield* keys.authenticate(value)).permissions]).toEqual(["can_read_calls"])
    }).pipe(Effect.scoped)
  )
})
