import * as FairScheduler from "@frontdesk/http/request/FairScheduler"
import type { SchedulerDispatcher } from "effect/Scheduler"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Makes a scheduler whose turns and clock the test controls. */
const makeScheduler = ({ countsTurns = false } = {}) => {
  let turns: Array<() => void> = []
  const clock = { millis: 0 }
  let turn = 0
  const fair = FairScheduler.make({
    later: (run) => turns.push(run),
    now: () => clock.millis,
    currentTurn: countsTurns ? () => turn : undefined
  })
  const served: Array<{ readonly caller: string; readonly turn: number }> = []
  const dispatchers = new Map<string, SchedulerDispatcher>()
  const add = (caller: string, millis: number, then: () => void = () => {}): void => {
    const dispatcher = dispatchers.get(caller) ?? fair.of(caller).makeDispatcher()
    dispatchers.set(caller, dispatcher)
    dispatcher.scheduleTask(() => {
      served.push({ caller, turn })
      clock.millis += millis
      then()
    }, 0)
  }
  /** Runs a number of turns of the event loop. Default: all. */
  const run = (count: number = Number.POSITIVE_INFINITY): void => {
    for (let done = 0; done < count && turns.length > 0; done++) {
      const due = turns
      turns = []
      turn += 1
      for (const each of due) each()
    }
  }
  return {
    fair,
    add,
    run,
    served,
    callers: () => served.map(({ caller }) => caller),
    /** Begins the next turn of the event loop. */
    nextTurn: () => {
      turn += 1
      run(1)
    },
    scheduled: () => turns.length,
    /** Drops the scheduled turns. */
    drop: () => void (turns = []),
    wait: (millis: number) => void (clock.millis += millis)
  }
}

describe("the fair scheduler", () => {
  it("runs the task of a new caller before the hundreds of waiting tasks of another caller", () => {
    const scheduler = makeScheduler()
    for (let count = 0; count < 200; count++) scheduler.add("busy", 1)
    scheduler.run(10)
    scheduler.add("new", 1)
    scheduler.run(2)
    expect(scheduler.callers().indexOf("new")).toBeLessThanOrEqual(11)
  })

  it("gives callers the same time, not the same number of tasks", () => {
    const scheduler = makeScheduler()
    for (let count = 0; count < 20; count++) scheduler.add("long", 10)
    for (let count = 0; count < 200; count++) scheduler.add("short", 1)
    scheduler.run(110)
    const millis = scheduler.callers().reduce((sum, caller) => sum + (caller === "long" ? 10 : -1), 0)
    expect(Math.abs(millis)).toBeLessThanOrEqual(10)
  })

  it("lets callers alternate task by task when the clock does not advance", () => {
    const scheduler = makeScheduler()
    for (let count = 0; count < 5; count++) scheduler.add("a", 0)
    for (let count = 0; count < 5; count++) scheduler.add("b", 0)
    scheduler.run()
    expect(scheduler.callers().join("")).toBe("ababababab")
  })

  it("runs tasks for one millisecond in each turn of the event loop", () => {
    const scheduler = makeScheduler()
    for (let count = 0; count < 6; count++) scheduler.add("a", 0.5)
    scheduler.run()
    expect(scheduler.served.map(({ turn }) => turn)).toEqual([1, 1, 2, 2, 3, 3])
  })

  it("gives a caller no advantage for a pause", () => {
    const scheduler = makeScheduler()
    scheduler.add("away", 1)
    for (let count = 0; count < 100; count++) scheduler.add("busy", 1)
    scheduler.run(60)
    for (let count = 0; count < 10; count++) scheduler.add("away", 1)
    scheduler.run(20)
    // Each of the first 60 turns ran one task.
    const since = scheduler.callers().slice(60)
    expect(since.filter((caller) => caller === "away").length).toBeLessThanOrEqual(11)
    expect(since.filter((caller) => caller === "busy").length).toBeGreaterThanOrEqual(9)
  })

  it("schedules a turn again when the runtime has dropped it", () => {
    const scheduler = makeScheduler()
    scheduler.add("a", 1)
    scheduler.drop()
    scheduler.add("b", 1)
    scheduler.run()
    expect(scheduler.callers()).toEqual([])
    scheduler.wait(1_000)
    scheduler.add("c", 1)
    scheduler.run()
    expect(scheduler.callers()).toEqual(["a", "b", "c"])
  })

  it("runs the remaining tasks after a task has thrown", () => {
    const scheduler = makeScheduler()
    scheduler.add("a", 1, () => {
      throw new Error("a defect")
    })
    scheduler.add("b", 1)
    expect(() => scheduler.run()).toThrow("a defect")
    scheduler.run()
    expect(scheduler.callers()).toEqual(["a", "b"])
  })

  it.each([false, true])(
    "runs a task at once while no task waits and the turn of the event loop has time left (counted turns: %s)",
    (countsTurns) => {
      const scheduler = makeScheduler({ countsTurns })
      const ran: Array<string> = []
      const tryRun = (name: string, caller: string, millis: number, then: () => void = () => {}) =>
        scheduler.fair.tryRun(caller, () => {
          ran.push(name)
          expect(scheduler.fair.isRunning(caller)).toBe(true)
          scheduler.wait(millis)
          then()
        })
      expect(tryRun("first", "a", 0.5, () => expect(tryRun("nested", "b", 0)).toBe(false))).toBe(true)
      expect(tryRun("second", "b", 0.5)).toBe(true)
      expect(tryRun("without time", "c", 0)).toBe(false)
      expect(scheduler.fair.isRunning("b")).toBe(false)
      scheduler.nextTurn()
      expect(tryRun("in the next turn", "c", 0)).toBe(true)
      expect(scheduler.scheduled()).toBe(countsTurns ? 0 : 1)
      scheduler.add("d", 1)
      expect(tryRun("beside a task that waits", "e", 0)).toBe(false)
      expect(ran).toEqual(["first", "second", "in the next turn"])
    }
  )

  it("counts the time of a task that ran at once", () => {
    const scheduler = makeScheduler()
    expect(scheduler.fair.tryRun("long", () => scheduler.wait(5))).toBe(true)
    scheduler.add("long", 1)
    for (let count = 0; count < 5; count++) scheduler.add("short", 1)
    scheduler.run()
    expect(scheduler.callers()).toEqual(["short", "short", "short", "short", "short", "long"])
  })

  it("law: the tasks of each caller run once and in order, and the next task is always of a caller that has used the least time", () => {
    const task = fc.record({ caller: fc.constantFrom("a", "b", "c"), millis: fc.integer({ min: 1, max: 20 }) })
    fc.assert(
      fc.property(fc.array(task, { maxLength: 60 }), (tasks) => {
        const scheduler = makeScheduler()
        const done: Array<number> = []
        const used = new Map<string, number>()
        const waiting = new Map<string, number>()
        for (const { caller } of tasks) waiting.set(caller, (waiting.get(caller) ?? 0) + 1)
        tasks.forEach(({ caller, millis }, index) =>
          scheduler.add(caller, millis, () => {
            done.push(index)
            // The served caller has used no more time than any waiting caller.
            for (const [other, count] of waiting) {
              if (count > 0) expect(used.get(caller) ?? 0).toBeLessThanOrEqual(used.get(other) ?? 0)
            }
            used.set(caller, (used.get(caller) ?? 0) + millis)
            waiting.set(caller, (waiting.get(caller) ?? 0) - 1)
          })
        )
        scheduler.run()
        for (const name of ["a", "b", "c"]) {
          expect(done.filter((index) => tasks[index]?.caller === name)).toEqual(
            [...tasks.keys()].filter((index) => tasks[index]?.caller === name)
          )
        }
      })
    )
  })
})
