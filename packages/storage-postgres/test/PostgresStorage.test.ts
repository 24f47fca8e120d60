import { FrontLength } from "@frontdesk/storage-sql/webhook/DeliveryClaim"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "../src/PostgresStorage.ts"

const inDatabase = Layer.unwrap(
  Effect.map(TestDatabase.make, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

storageSuite("PostgreSQL", inDatabase)
modelSuite("PostgreSQL", inDatabase, MemoryStorage.layer)

const clogged = Layer.provide(inDatabase, Layer.succeed(FrontLength, 2))
deliveryQueueSuite("PostgreSQL, clogged", clogged)
modelSuite("PostgreSQL, clogged", clogged, MemoryStorage.layer)
