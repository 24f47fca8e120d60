import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { participationSuite } from "@frontdesk/testing/suite/participationSuite"
import { recordSuite } from "@frontdesk/testing/suite/recordSuite"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import { storeSuite } from "@frontdesk/testing/suite/storeSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"

/** A store in a database of its own, which the transactions of the other stores do not reach. */
const separate = Layer.effect(
  IdempotencyStore,
  Effect.map(Layer.build(Layer.fresh(MemoryStorage.layer)), (elsewhere) => Context.get(elsewhere, IdempotencyStore))
)

describe("participationSuite", () => {
  it("finds every write of a storage whose transactions roll nothing back", async () => {
    const withoutRollback = Layer.succeed(Transaction, Transaction.of({ run: (effect) => effect }))
    const broken: Layer.Layer<Storage> = Layer.provideMerge(withoutRollback, MemoryStorage.layer)
    const tests = await recordSuite((runner) => participationSuite("broken", broken, { runner }))
    expect(tests.length).toBeGreaterThan(60)
    expect(tests.filter(({ result }) => result !== "failed")).toEqual([])
  })
})

describe("storeSuite", () => {
  it("accepts a store that shares the database of the other ports", async () => {
    const own = Layer.effect(IdempotencyStore, Effect.service(IdempotencyStore))
    const tests = await recordSuite((runner) =>
      storeSuite("ours", IdempotencyStore, own, { with: MemoryStorage.layer, runner })
    )
    expect(tests.length).toBeGreaterThan(10)
    expect(tests.filter(({ result }) => result !== "passed")).toEqual([])
  })

  it("finds that the writes of a store in a separate database stay when the transaction fails", async () => {
    const tests = await recordSuite((runner) =>
      storeSuite("ours", IdempotencyStore, separate, { with: MemoryStorage.layer, runner })
    )
    const participation = tests.filter(({ name }) => name.startsWith("ours: participation in transactions"))
    expect(participation.map(({ name, result }) => [/IdempotencyStore\.(\w+)/.exec(name)?.[1], result])).toEqual(
      ["begin", "markExecuted", "complete", "release", "sweep"].map((method) => [method, "failed"])
    )
  })
})
