import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import * as SimulatedClock from "@frontdesk/testing/simulation/SimulatedClock"
import * as Simulator from "@frontdesk/testing/simulation/Simulator"

const never = () => false

/** Two processes that count to three, a second apart; what they said, in order. */
const counts = (
  seed: number,
  during: (simulator: Simulator.Simulator, a: Simulator.Process) => void = () => {}
): ReadonlyArray<string> => {
  const simulator = Simulator.make(seed)
  const said: Array<string> = []
  const start = (name: string) => {
    const process: Simulator.Process = { name, state: "running" }
    const count = Effect.gen(function* () {
      for (const number of [1, 2, 3]) {
        said.push(`${name}${number} at ${(yield* Clock.currentTimeMillis) - simulator.wall() + simulator.elapsed()}`)
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.ensuring(Effect.sync(() => said.push(`${name} ends`))))
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
  simulator.runUntil(1_500, never)
  during(simulator, a)
  simulator.runUntil(60_000, never)
  return said
}

describe("Simulator", () => {
  it("does the same for the same seed, and in another order for another", () => {
    const orders = Array.from({ length: 20 }, (_, seed) => counts(seed))
    expect(orders).toEqual(Array.from({ length: 20 }, (_, seed) => counts(seed)))
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(3)
  })

  it("lets time pass only when there is nothing to do: sleeps end exactly when they should", () => {
    expect(counts(1).toSorted()).toEqual(
      ["a1 at 0", "a2 at 1000", "a3 at 2000", "b1 at 0", "b2 at 1000", "b3 at 2000", "a ends", "b ends"].toSorted()
    )
  })

  it("lets nothing of a killed process run again, no finalizer either; others go on", () => {
    const said = counts(1, (simulator, a) => simulator.move(a, "dead"))
    expect(said.toSorted()).toEqual(
      ["a1 at 0", "a2 at 1000", "b1 at 0", "b2 at 1000", "b3 at 2000", "b ends"].toSorted()
    )
  })

  it("holds a paused process back until it goes on", () => {
    const said = counts(1, (simulator, a) => {
      simulator.move(a, "paused")
      simulator.runUntil(10_000, never)
      simulator.move(a, "running")
    })
    expect(said.filter((line) => line.startsWith("a"))).toEqual(["a1 at 0", "a2 at 1000", "a3 at 10000", "a ends"])
  })

  it("sets the wall clock without letting time pass", () => {
    const simulator = Simulator.make(1)
    const before = simulator.wall()
    simulator.jump(-3_600_000)
    expect([simulator.wall() - before, simulator.elapsed()]).toEqual([-3_600_000, 0])
  })
})
