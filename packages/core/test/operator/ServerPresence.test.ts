import { describe, expect, it } from "@effect/vitest"
import { CurrentInstallation, type Installation, type InstalledWorker } from "@frontdesk/core/operator/Installation"
import * as ServerNode from "@frontdesk/core/operator/ServerNode"
import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as ServerPresence from "@frontdesk/core/operator/ServerPresence"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FaultInjection, storageError, wrap } from "@frontdesk/testing/FaultInjection"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { newNode } from "@frontdesk/testing/suite/ServerNodes"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const worker = (name: string, status: InstalledWorker["status"]): InstalledWorker => ({
  name,
  status,
  restarts: 0,
  lastEndedAt: null
})

const installation = (node: string, workers: ReadonlyArray<InstalledWorker> = []): Installation => ({
  version: "1.2.3",
  runtime: "Node.js 26.0.0",
  database: "SQLite",
  schema: "0001_initial",
  node,
  workers: Effect.succeed(workers)
})

/** Starts a process with this name. Its fiber ends as the process does. */
const start = (node: string, workers?: ReadonlyArray<InstalledWorker>) =>
  Effect.forkChild(ServerPresence.run.pipe(Effect.provideService(CurrentInstallation, installation(node, workers))))

const names = Effect.map(
  Effect.flatMap(ServerNodeStore, ({ list }) => list(100)),
  (all) => all.map(({ name }) => name).toSorted()
)

const storage = Layer.fresh(
  wrap(ServerNodeStore, MemoryStorage.layer, storageError("unavailable")).pipe(
    Layer.provideMerge(FaultInjection.layer())
  )
)

describe("ServerPresence (D-OP-6)", () => {
  it.effect("a process reports itself at once and every 30 seconds, with its workers and when it started", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* start("a", [worker("outbox", "running"), worker("reminders", "restarting")])
      yield* start("b")
      yield* TestClock.adjust("59 seconds")
      const fields = { version: "1.2.3", runtime: "Node.js 26.0.0", startedAt: Samples.now }
      const reportedAt = Samples.later(0.5)
      const { list } = yield* ServerNodeStore
      expect((yield* list(100)).toSorted((x, y) => (x.name < y.name ? -1 : 1))).toEqual([
        { ...fields, name: "a", workers: 2, restarting: 1, reportedAt },
        { ...fields, name: "b", workers: 0, restarting: 0, reportedAt }
      ])
    }).pipe(Effect.provide(storage))
  )

  it.effect("one that stops is taken off the list, and one that is killed stays for a day", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const nodes = yield* ServerNodeStore
      yield* nodes.report(newNode({ name: "killed", reportedAt: Samples.now }))
      yield* start("a")
      const stopping = yield* start("b")
      yield* TestClock.adjust("1 minute")
      expect(yield* names).toEqual(["a", "b", "killed"])
      yield* Fiber.interrupt(stopping)
      yield* TestClock.adjust("23 hours")
      expect(yield* names).toEqual(["a", "killed"])
      yield* TestClock.adjust("1 hour")
      expect(yield* names).toEqual(["a"])
    }).pipe(Effect.provide(storage))
  )

  it.effect("a restarted process replaces the killed one of its name, and the end of a former one leaves it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const former = yield* start("a")
      yield* TestClock.adjust("10 seconds")
      yield* start("a")
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(former)
      const { list } = yield* ServerNodeStore
      expect(yield* list(100)).toMatchObject([{ name: "a", startedAt: DateTime.add(Samples.now, { seconds: 10 }) }])
    }).pipe(Effect.provide(storage))
  )

  it.effect("a failure is logged, and the next report follows", () =>
    LogCapture.collect((lines) =>
      Effect.gen(function* () {
        const faults = yield* FaultInjection
        yield* faults.set("ServerNodeStore.report", { fault: "fail", times: 1 })
        yield* start("a")
        yield* TestClock.adjust("29 seconds")
        expect(yield* names).toEqual([])
        yield* TestClock.adjust("1 second")
        expect(yield* names).toEqual(["a"])
        expect(lines.map(({ level, text }) => [level, text])).toEqual([
          ["Warn", "This process could not be reported in the list of servers"]
        ])
      }).pipe(Effect.provide(storage))
    )
  )

  it.effect("the end of a process waits two seconds for a database that does not answer", () =>
    Effect.gen(function* () {
      const faults = yield* FaultInjection
      const process = yield* start("a")
      yield* TestClock.adjust("1 second")
      yield* faults.set("ServerNodeStore.delete", { fault: "hang" })
      const stopping = yield* Effect.forkChild(Fiber.interrupt(process))
      yield* TestClock.adjust("1999 millis")
      expect(stopping.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(stopping.pollUnsafe()).toMatchObject({ _tag: "Success" })
    }).pipe(Effect.provide(storage))
  )

  it.effect("a program that states nothing is not in the list", () =>
    Effect.gen(function* () {
      yield* Effect.forkChild(ServerPresence.run)
      yield* TestClock.adjust("1 minute")
      expect(yield* names).toEqual([])
    }).pipe(Effect.provide(storage))
  )

  it("a process is silent when it has not reported itself for more than two minutes", () => {
    const node = newNode({ reportedAt: Samples.now })
    expect(ServerNode.isSilent(node, Samples.later(2))).toBe(false)
    expect(ServerNode.isSilent(node, Samples.later(2.01))).toBe(true)
  })
})
