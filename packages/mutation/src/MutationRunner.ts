import process from "node:process"
import { TestRunner } from "vitest"
import type { RunnerTask, RunnerTestFile, SerializedConfig } from "vitest"
import * as Log from "./Log.ts"
import * as Plan from "./Plan.ts"
import { type Job, Schedule } from "./Schedule.ts"
import { Switch } from "./Switch.ts"

interface ModuleNode {
  readonly importers: ReadonlySet<string>
}

/** The part of vitest's worker that this runner uses. The types of vitest do not declare it. */
interface Worker {
  readonly ctx: { readonly files: Array<{ readonly filepath: string }> }
  readonly evaluatedModules: {
    readonly getModuleById: (id: string) => ModuleNode | undefined
    readonly getModulesByFile: (file: string) => ReadonlySet<ModuleNode> | undefined
    readonly invalidateModule: (node: ModuleNode) => void
  }
}

const isWorker = (value: unknown): value is Worker =>
  typeof value === "object" && value !== null && "ctx" in value && "evaluatedModules" in value

/** Returns the processor time of this thread in seconds. Unlike the clock it does not depend on other load. */
const processorSeconds = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1_000_000
}

/**
 * Runs test files repeatedly in one worker of vitest, each time with another mutant.
 *
 * Vitest runs the files of a worker in the order of a list. This runner appends the next file to that list whenever a
 * file has ended.
 */
// oxlint-disable-next-line import/no-default-export -- Vitest uses the default export of this file.
export default class MutationRunner extends TestRunner {
  readonly #plan = Plan.fromEnvironment()
  readonly #switch = new Switch()
  readonly #schedule: Schedule
  readonly #covered = new Set<number>()
  #job: Job | undefined
  #isKilled = false
  #started = 0
  #loading: ReadonlyMap<number, number> = new Map()
  #tests = new Map<string, ReadonlySet<number>>()
  #rounds = 0

  constructor(config: SerializedConfig) {
    super(config)
    this.#switch.install()
    const entries = Log.read(this.#plan.log)
    const done = new Set(entries.flatMap((entry) => (entry.is === "killed" ? [entry.mutant] : [])))
    const finished = new Set(entries.flatMap((entry) => (entry.is === "finished" ? [entry.file] : [])))
    const alive = Array.from({ length: this.#plan.mutants }, (_, mutant) => mutant).filter(
      (mutant) => !done.has(mutant)
    )
    this.#schedule = new Schedule(
      this.#plan.tests.filter((file) => !finished.has(file)),
      alive,
      this.#plan.isStateful
    )
    this.#job = this.#schedule.next()
    const worker = this.#worker()
    const [first] = worker.ctx.files
    // Replaces the first file, which vitest has chosen, by the first file of the schedule.
    if (first !== undefined && this.#job !== undefined)
      worker.ctx.files.splice(0, 1, { ...first, filepath: this.#job.file })
    this.#begin()
  }

  #worker(): Worker {
    const worker: unknown = Reflect.get(this, "workerState")
    if (!isWorker(worker))
      throw new TypeError("The mutation runner does not support this version of vitest: its worker state is different.")
    return worker
  }

  #log(entry: Log.Entry): void {
    Log.append(this.#plan.log, entry)
  }

  #begin(): void {
    const job = this.#job
    this.#isKilled = false
    this.#switch.reset()
    this.#switch.active = -1
    this.#started = processorSeconds()
    if (job === undefined || !("mutant" in job)) {
      this.#switch.maxRounds = Number.POSITIVE_INFINITY
      this.#log({ is: "alive" })
      return
    }
    if (job.is === "reload") this.#forget()
    this.#switch.active = job.mutant
    // A mutant may take 20 times as many loop rounds as the busiest test without a mutant, plus 100,000.
    this.#switch.maxRounds = 100_000 + 20 * this.#rounds
    this.#log({ is: "started", mutant: job.mutant, file: job.file })
  }

  /** Makes vitest load the module again, and every module that imports it. */
  #forget(): void {
    const { evaluatedModules } = this.#worker()
    const nodes = new Set(evaluatedModules.getModulesByFile(this.#plan.module))
    for (const node of nodes) {
      for (const id of node.importers) {
        const importer = evaluatedModules.getModuleById(id)
        if (importer !== undefined) nodes.add(importer)
      }
    }
    for (const node of nodes) evaluatedModules.invalidateModule(node)
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    const job = this.#job
    if (job?.is === "first") this.#switch.reset()
    if (job?.is === "load" || this.#isKilled) Reflect.set(test, "mode", "skip")
    if (job?.is === "mutant" && job.tests !== "all" && !job.tests.has(test.id)) Reflect.set(test, "mode", "skip")
    await super.onBeforeRunTask(test)
  }

  onBeforeRunFiles(): void {
    if (this.#job?.is === "first" || this.#job?.is === "load") this.#loading = this.#switch.reset()
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test)
    const job = this.#job
    if (test.type !== "test" || job === undefined) return
    if (job.is === "first") {
      this.#rounds = Math.max(this.#rounds, this.#switch.rounds)
      const reached = new Set(this.#switch.reset().keys())
      if (test.result?.state === "pass") this.#tests.set(test.id, reached)
      if (test.result?.state === "fail") this.#log({ is: "problem", message: `Fails without a mutant: ${test.name}` })
      this.#log({ is: "alive" })
    }
    if ("mutant" in job && test.result?.state === "fail") this.#kill(job.mutant, test.name)
  }

  #kill(mutant: number, by: string): void {
    if (this.#isKilled) return
    this.#isKilled = true
    this.#schedule.kill(mutant)
    this.#log({ is: "killed", mutant, by })
  }

  override onAfterRunFiles(files: Array<RunnerTestFile>): void {
    super.onAfterRunFiles(files)
    const job = this.#job
    if (job === undefined) return
    const [file] = files
    const hasFailed = file?.result?.state === "fail"
    if (job.is === "first") {
      const seconds = processorSeconds() - this.#started
      const isUsed = this.#tests.size > 0 && seconds <= this.#plan.maxSeconds
      if (!isUsed)
        this.#log({
          is: "problem",
          message: `Not used: ${job.file} (${seconds.toFixed(1)} s, ${this.#tests.size} tests pass)`
        })
      this.#schedule.afterFirst(job.file, { loading: this.#loading, tests: this.#tests, isUsed })
      const all = new Set([...this.#loading.keys(), ...[...this.#tests.values()].flatMap((reached) => [...reached])])
      for (const mutant of all) {
        if (isUsed && !this.#covered.has(mutant)) this.#log({ is: "covered", mutant })
        if (isUsed) this.#covered.add(mutant)
      }
      this.#tests = new Map()
    }
    if (job.is === "load") this.#schedule.afterLoad(job.file, this.#loading)
    if ("mutant" in job && hasFailed) this.#kill(job.mutant, "the test file")
    const next = this.#schedule.next()
    if (next?.is === "first" || next === undefined) this.#log({ is: "finished", file: job.file })
    // Otherwise the next run would use modules that were loaded with this mutant.
    if (job.is === "reload") this.#forget()
    this.#job = next
    this.#begin()
    const worker = this.#worker()
    const [spec] = worker.ctx.files
    if (next !== undefined && spec !== undefined) worker.ctx.files.push({ ...spec, filepath: next.file })
  }
}
