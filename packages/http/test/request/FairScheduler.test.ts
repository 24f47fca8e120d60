import * as FairScheduler from "@frontdesk/http/request/FairScheduler"
import type { SchedulerDispatcher } from "effect/Scheduler"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** A scheduler whose turns and time the test decides. */
const makeWorld = () => {
  let turns: Array<() => void> = []
  const clock = { millis: 0 }
  const scheduler = FairScheduler.make({ later: (run) => turns.push(run), now: () => clock.millis })
  const served: Array<{ readonly caller: string; readonly turn: number }> = []
  let turn = 0
  const dispatchers = new Map<string, SchedulerDispatcher>()
  const add = (caller: string, millis: number, then: () => void = () => {}): void => {
    const dispatcher = dispatchers.get(caller) ?? scheduler.of(caller).makeDispatcher()
    dispatchers.set(caller, dispatcher)
    dispatcher.scheduleTask(() => {
      served.push({ caller, turn })
      clock.millis += millis
      then()
    }, 0)
  }
  /** Runs so many turns of the event loop, or all that there are. */
  const run = (count: number = Number.POSITIVE_INFINITY): void => {
    for (let done = 0; done < count && turns.length > 0; done++) {
      const due = turns
      turns = []
      turn += 1
      for (const each of due) each()
    }
  }
  return {
    add,
    run,
    served,
    callers: () => served.map(({ caller }) => caller),
    /** Drops the turns that are scheduled. */
    drop: () => void (turns = []),
    wait: (millis: number) => void (clock.millis += millis)
  }
}

describe("the fair scheduler", () => {
  it("runs the task of a caller who has just come before the hundreds of another one", () => {
    const world = makeWorld()
    for (let count = 0; count < 200; count++) world.add("busy", 1)
    world.run(10)
    world.add("new", 1)
    world.run(2)
    expect(world.callers().indexOf("new")).toBeLessThanOrEqual(11)
  })

  it("gives callers the same time, not the same number of tasks", () => {
    const world = makeWorld()
    for (let count = 0; count < 20; count++) world.add("long", 10)
    for (let count = 0; count < 200; count++) world.add("short", 1)
    world.run(110)
    const millis = world.callers().reduce((sum, caller) => sum + (caller === "long" ? 10 : -1), 0)
    expect(Math.abs(millis)).toBeLessThanOrEqual(10)
  })

  it("lets callers alternate where the clock stands still", () => {
    const world = makeWorld()
    for (let count = 0; count < 5; count++) world.add("a", 0)
    for (let count = 0; count < 5; count++) world.add("b", 0)
    world.run()
    expect(world.callers().join("")).toBe("ababababab")
  })

  it("ends a turn of the event loop after a millisecond", () => {
    const world = makeWorld()
    for (let count = 0; count < 6; count++) world.add("a", 0.5)
    world.run()
    expect(world.served.map(({ turn }) => turn)).toEqual([1, 1, 2, 2, 3, 3])
  })

  it("gives nothing for time in which a caller was away", () => {
    const world = makeWorld()
    world.add("away", 1)
    for (let count = 0; count < 100; count++) world.add("busy", 1)
    world.run(60)
    for (let count = 0; count < 10; count++) world.add("away", 1)
    world.run(20)
    const since = world.callers().slice(60)
    expect(since.filter((caller) => caller === "away").length).toBeLessThanOrEqual(11)
    expect(since.filter((caller) => caller === "busy").length).toBeGreaterThanOrEqual(9)
  })

  it("schedules a turn again that was dropped with the request that had scheduled it", () => {
    const world = makeWorld()
    world.add("a", 1)
    world.drop()
    world.add("b", 1)
    world.run()
    expect(world.callers()).toEqual([])
    world.wait(1_000)
    world.add("c", 1)
    world.run()
    expect(world.callers()).toEqual(["a", "b", "c"])
  })

  it("goes on after a task that throws", () => {
    const world = makeWorld()
    world.add("a", 1, () => {
      throw new Error("a defect")
    })
    world.add("b", 1)
    expect(() => world.run()).toThrow("a defect")
    world.run()
    expect(world.callers()).toEqual(["a", "b"])
  })

  it("runs everything once, in the order of each caller, and serves no waiting caller more than one task late", () => {
    const task = fc.record({ caller: fc.constantFrom("a", "b", "c"), millis: fc.integer({ min: 1, max: 20 }) })
    fc.assert(
      fc.property(fc.array(task, { maxLength: 60 }), (tasks) => {
        const world = makeWorld()
        const done: Array<number> = []
        const used = new Map<string, number>()
        const waiting = new Map<string, number>()
        for (const { caller } of tasks) waiting.set(caller, (waiting.get(caller) ?? 0) + 1)
        tasks.forEach(({ caller, millis }, index) =>
          world.add(caller, millis, () => {
            done.push(index)
            // Whoever is served has used no more than any other who waits.
            for (const [other, count] of waiting) {
              if (count > 0) expect(used.get(caller) ?? 0).toBeLessThanOrEqual(used.get(other) ?? 0)
            }
            used.set(caller, (used.get(caller) ?? 0) + millis)
            waiting.set(caller, (waiting.get(caller) ?? 0) - 1)
          })
        )
        world.run()
        for (const name of ["a", "b", "c"]) {
          expect(done.filter((index) => tasks[index]?.caller === name)).toEqual(
            [...tasks.keys()].filter((index) => tasks[index]?.caller === name)
          )
        }
      })
    )
  })
})
