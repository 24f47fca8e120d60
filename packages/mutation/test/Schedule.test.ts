import { describe, expect, it } from "vitest"
import { type FirstRun, type Job, Schedule } from "../src/Schedule.ts"

const firstRun = (tests: Record<string, ReadonlyArray<number>>, loading: ReadonlyArray<number> = []): FirstRun => ({
  loading: new Map(loading.map((mutant) => [mutant, 1])),
  tests: new Map(Object.entries(tests).map(([test, reached]) => [test, new Set(reached)])),
  isUsed: true
})

/** Runs a schedule to its end and returns its jobs as text. A mutant in `killed` is killed at its first run. */
const jobs = (schedule: Schedule, first: (file: string) => FirstRun, killed: ReadonlyArray<number> = []) => {
  const done: Array<string> = []
  for (let job = schedule.next(); job !== undefined; job = schedule.next()) {
    done.push(shown(job))
    if (job.is === "first") schedule.afterFirst(job.file, first(job.file))
    if (job.is === "load") schedule.afterLoad(job.file, new Map())
    if ("mutant" in job && killed.includes(job.mutant)) schedule.kill(job.mutant)
  }
  return done
}

const shown = (job: Job): string => ("mutant" in job ? `${job.is} ${job.file} ${job.mutant}` : `${job.is} ${job.file}`)

describe("Schedule", () => {
  it("a mutant runs only in files with a test that reaches it", () => {
    const schedule = new Schedule(["a", "b"], [0, 1])
    expect(jobs(schedule, (file) => firstRun({ test: file === "a" ? [0] : [0, 1] }))).toEqual([
      "first a",
      "load a",
      "mutant a 0",
      "first b",
      "load b",
      "mutant b 0",
      "mutant b 1"
    ])
  })

  it("a killed mutant does not run again, and the schedule ends when no mutant is alive", () => {
    const schedule = new Schedule(["a", "b"], [0])
    expect(jobs(schedule, () => firstRun({ test: [0] }), [0])).toEqual(["first a", "load a", "mutant a 0"])
  })

  it("a mutant that is reached while modules are loaded runs after they are loaded again, in every file", () => {
    const schedule = new Schedule(["a", "b"], [0])
    expect(jobs(schedule, (file) => firstRun({ test: [] }, file === "a" ? [0] : []))).toEqual([
      "first a",
      "load a",
      "reload a 0",
      "first b",
      "load b",
      "reload b 0"
    ])
  })

  it("every mutant of a stateful module runs after the module is loaded again", () => {
    const schedule = new Schedule(["a"], [0, 1], true)
    expect(jobs(schedule, () => firstRun({ test: [0, 1] }, [1]))).toEqual([
      "first a",
      "load a",
      "reload a 0",
      "reload a 1"
    ])
  })

  it("no mutant runs in a test file that is not used", () => {
    const schedule = new Schedule(["a"], [0])
    expect(jobs(schedule, () => ({ ...firstRun({ test: [0] }), isUsed: false }))).toEqual(["first a", "load a"])
  })
})
