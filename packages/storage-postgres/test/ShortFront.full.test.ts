import { describe, expect, it } from "@effect/vitest"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { deliveryClaimSuite } from "@frontdesk/testing/suite/deliveryClaimSuite"
import { deliveryFairnessSuite } from "@frontdesk/testing/suite/deliveryFairnessSuite"
import { deliveryQueueSuite } from "@frontdesk/testing/suite/deliveryQueueSuite"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { outboxFairnessSuite } from "@frontdesk/testing/suite/outboxFairnessSuite"
import { outboxStoreSuite } from "@frontdesk/testing/suite/outboxStoreSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inDatabase, ran, scans } from "./inDatabase.ts"

// With a front of two deliveries, nearly every claim goes through the webhooks one by one.
const shortFront = Layer.provide(inDatabase, Layer.succeed(FrontLength, 2))
deliveryQueueSuite("PostgreSQL with a short front", shortFront)
deliveryFairnessSuite("PostgreSQL with a short front", shortFront)
deliveryClaimSuite("PostgreSQL with a short front", shortFront)
outboxStoreSuite("PostgreSQL with a short front", shortFront)
outboxFairnessSuite("PostgreSQL with a short front", shortFront)
modelSuite("PostgreSQL with a short front", shortFront, MemoryStorage.layer)

describe("the tables", () => {
  it.live("have an index for every statement that the suites above have run", () =>
    Effect.gen(function* () {
      expect(ran.size).toBeGreaterThan(20)
      expect(yield* scans).toEqual([])
    }).pipe(Effect.provide(inDatabase))
  )
})
