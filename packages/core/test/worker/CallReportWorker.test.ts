import { describe, expect, it } from "@effect/vitest"
import { CallReportWorker } from "@frontdesk/core/worker/CallReportWorker"
import { CallProvider, type CallReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { FakeCallProvider, providerCallId, refusing } from "@frontdesk/testing/fake/FakeCallProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, services, stored } from "../call/caller.ts"

const ringing = (id: string): CallReport => ({ providerCallId: id, ref: null, report: { _tag: "Ringing" } })

const unused = Effect.die("not used here")

/** Runs the worker with these reports. `apply` is called to apply each of them. */
const runWith = (
  reports: ReadonlyArray<CallReport>,
  apply: (report: CallReport) => Effect.Effect<boolean, StorageError>
) => {
  const provider = { ...refusing, reports: Stream.fromIterable(reports) }
  const calls = {
    start: () => unused,
    dryRun: () => unused,
    get: () => unused,
    list: () => unused,
    deliveries: () => unused,
    hangUp: () => unused,
    agentVariables: () => unused,
    applyReport: apply
  }
  return Effect.flatMap(CallReportWorker, (worker) => worker.run).pipe(
    Effect.provide(
      CallReportWorker.layer.pipe(Layer.provide([Layer.succeed(CallProvider, provider), Layer.succeed(Calls, calls)]))
    )
  )
}

describe("CallReportWorker", () => {
  it.effect("a report of the provider's stream is applied to its call", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const worker = yield* CallReportWorker
      yield* Effect.forkScoped(worker.run)
      const { call } = yield* caller.start()
      yield* fake.report(ringing(providerCallId(call.callId)))
      yield* TestClock.adjust("1 second")
      expect((yield* stored(call)).status).toBe("ringing")
    }).pipe(Effect.provide(services))
  )

  it.effect("a report is retried until the storage has it, and later reports wait", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      let outage = 12
      const fiber = yield* Effect.forkChild(
        runWith([ringing("a"), ringing("b")], ({ providerCallId }) =>
          Effect.suspend(() => {
            if (outage-- > 0)
              return Effect.fail(new StorageError({ reason: "unavailable", operation: "test", cause: "" }))
            seen.push(providerCallId)
            return Effect.succeed(true)
          })
        )
      )
      yield* TestClock.adjust("2 minutes")
      expect(seen).toEqual(["a", "b"])
      expect(fiber.pollUnsafe()?._tag).toBe("Success")
    })
  )

  it.effect("a report that cannot be applied does not block the others", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      yield* runWith(
        [ringing("corrupt"), ringing("dies"), ringing("unknown"), ringing("good")],
        ({ providerCallId: id }) =>
          id === "corrupt"
            ? Effect.fail(new StorageError({ reason: "corrupt", operation: "test", cause: "" }))
            : id === "dies"
              ? Effect.die("a bug")
              : Effect.sync(() => seen.push(id)).pipe(Effect.as(id === "good"))
      )
      expect(seen).toEqual(["unknown", "good"])
    })
  )
})
