import { FrontLength } from "@frontdesk/storage-sql/delivery/DeliveryClaim"
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
  // No result may depend on the time zone of a session.
  Effect.map(TestDatabase.make, (url) =>
    PostgresStorage.layer({ url: Redacted.make(`${url}?options=-c%20TimeZone%3DAsia/Tokyo`) })
  )
)

storageSuite("PostgreSQL", inDatabase)
modelSuite("PostgreSQL", inDatabase, MemoryStorage.layer)

const inEnglish = Layer.unwrap(
  Effect.map(TestDatabase.makeInEnglish, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

// With a front of two deliveries, a claim goes through the endpoints almost every time.
const clogged = Layer.provide(inEnglish, Layer.succeed(FrontLength, 2))
deliveryQueueSuite("PostgreSQL in English, clogged", clogged)
modelSuite("PostgreSQL in English, clogged", clogged, MemoryStorage.layer)
