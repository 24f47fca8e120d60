import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import * as SimulatedClock from "@frontdesk/testing/simulation/SimulatedClock"
import * as Simulator from "@frontdesk/testing/simulation/Simulator"

const isNeverOver = () => false

/** Runs two processes that each count to three, one number a second. Returns what they logged, in order. */
const logOf = (
  seed: number,
  atHalf: (simulator: Simulator.Simulator, a: Simulator.Process) => void = () => {}
): ReadonlyArray<string> => {
  const simulator = Simulator.make(seed)
  const log: Array<string> = []
  const start = (name: string) => {
    const process: Simulator.Process = { name, state: "running" }
    const count = Effect.gen(function* () {
      for (const number of [1, 2, 3]) {
        log.push(`${name}${number} at ${(yield* Clock.currentTimeMillis) - simulator.wall() + simulator.elapsed()}`)
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.ensuring(Effect.sync(() => log.push(`${name} ends`))))
    simulator.soon(process, () => {
      Effect.runFork(
        Effect.provideService(
          count,
          Clock.Clock,
          SimulatedClock.make(simulator, process, () => {})
        ),
        { scheduler: simulator.scheduler(process) }
      )
    })
    return process
  }
  const a = start("a")
  start("b")
  simulator.runUntil(1_500, isNeverOver)
  atHalf(simulator, a)
  simulator.runUntil(60_000, isNeverOver)
  return log
}

describe("Simulator", () => {
  it("a simulator runs tasks in the same order for the same seed, and in several orders for several seeds", () => {
    const orders = Array.from({ length: 20 }, (_, seed) => logOf(seed))
    expect(orders).toEqual(Array.from({ length: 20 }, (_, seed) => logOf(seed)))
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(3)
  })

  it("time passes only when no task is ready, so that every sleep ends exactly on time", () => {
    expect(logOf(1).toSorted()).toEqual(
      ["a1 at 0", "a2 at 1000", "a3 at 2000", "b1 at 0", "b2 at 1000", "b3 at 2000", "a ends", "b ends"].toSorted()
    )
  })

  it("a killed process runs nothing again, not even a finalizer, and other processes continue", () => {
    const log = logOf(1, (simulator, a) => simulator.setState(a, "dead"))
    expect(log.toSorted()).toEqual(
      ["a1 at 0", "a2 at 1000", "b1 at 0", "b2 at 1000", "b3 at 2000", "b ends"].toSorted()
    )
  })

  it("a paused process runs nothing until it is resumed", () => {
    const log = logOf(1, (simulator, a) => {
      simulator.setState(a, "paused")
      simulator.runUntil(10_000, isNeverOver)
      simulator.setState(a, "running")
    })
    expect(log.filter((line) => line.startsWith("a"))).toEqual(["a1 at 0", "a2 at 1000", "a3 at 10000", "a ends"])
  })

  it("a jump changes the wall clock and lets no time pass", () => {
    const simulator = Simulator.make(1)
    const before = simulator.wall()
    simulator.jump(-3_600_000)
    expect([simulator.wall() - before, simulator.elapsed()]).toEqual([-3_600_000, 0])
  })
})
