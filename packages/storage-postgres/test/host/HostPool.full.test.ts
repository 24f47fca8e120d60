import { MemoryStorage } from "@frontdesk/storage-memory"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PoolClient from "@frontdesk/storage-postgres/host/PoolClient"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as HostPoolOf from "./HostPoolOf.ts"

/** The lent databases that a test of this file has migrated. */
const migrated = new Set<string>()

const settings = PostgresStorage.hostSettings({ schema: "voice" })

/** The storage on a pool of the host. Only the first test of a database migrates it. */
const inPool = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* TestDatabase.withTablesInSchema("voice")
    const pool = yield* HostPoolOf.make(url)
    if (migrated.has(url)) return Layer.provideMerge(SqlStorage.layer, PoolClient.layer(pool, settings))
    return Layer.tap(PostgresStorage.fromPool(pool, { schema: "voice" }), () => Effect.sync(() => migrated.add(url)))
  })
)

storageSuite("PostgreSQL, a pool of the host", inPool)
modelSuite("PostgreSQL, a pool of the host", inPool, MemoryStorage.layer)
