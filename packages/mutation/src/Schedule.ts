/** One run of a test file. */
export type Job =
  /** Loads the file and everything it needs, and runs its tests without a mutant. */
  | { readonly is: "first"; readonly file: string }
  /** Loads only the file again and runs no test. It shows which mutants the file itself reaches while it is loaded. */
  | { readonly is: "load"; readonly file: string }
  /** Runs some or all tests with a mutant. */
  | {
      readonly is: "mutant"
      readonly file: string
      readonly mutant: number
      readonly tests: ReadonlySet<string> | "all"
    }
  /** Loads the module again, and every module that imports it, and runs all tests with a mutant. */
  | { readonly is: "reload"; readonly file: string; readonly mutant: number }

/** The result of the first run of a test file. */
export interface FirstRun {
  /** How often each mutant was reached while the file and its imports were loaded. */
  readonly loading: ReadonlyMap<number, number>
  /** The mutants that each test reaches. */
  readonly tests: ReadonlyMap<string, ReadonlySet<number>>
  /** Whether the file is used: at least one of its tests passes, and all of them together do not take too long. */
  readonly isUsed: boolean
}

/**
 * Decides which test file runs next with which mutant. A mutant that a test has killed does not run again.
 *
 * A mutant that is reached only within tests is switched on while they run. A mutant that is reached while a module is
 * loaded, such as a constant or a schema, needs the module to be loaded again.
 */
export class Schedule {
  readonly #files: Array<string>
  readonly #alive: Set<number>
  /** Mutants that are reached while the module, or a module that imports it, is loaded. */
  readonly #loaded = new Set<number>()
  #first: FirstRun | undefined
  #jobs: Array<Job> = []

  /** Whether every run with a mutant loads the module again. */
  readonly #isStateful: boolean

  constructor(files: ReadonlyArray<string>, mutants: Iterable<number>, isStateful = false) {
    this.#files = [...files]
    this.#alive = new Set(mutants)
    this.#isStateful = isStateful
  }

  /** Returns the next run, or undefined when there is nothing left to run. */
  next(): Job | undefined {
    const job = this.#jobs.shift()
    if (job !== undefined) {
      return "mutant" in job && !this.#alive.has(job.mutant) ? this.next() : job
    }
    const file = this.#files.shift()
    return file === undefined || this.#alive.size === 0 ? undefined : { is: "first", file }
  }

  /** Records the result of the first run of a file. */
  afterFirst(file: string, first: FirstRun): void {
    this.#first = first
    this.#jobs = [{ is: "load", file }]
  }

  /** Records which mutants a second load of a file has reached, and plans its runs with mutants. */
  afterLoad(file: string, loading: ReadonlyMap<number, number>): void {
    const first = this.#first
    if (first === undefined) return
    for (const [mutant, times] of first.loading) if (times > (loading.get(mutant) ?? 0)) this.#loaded.add(mutant)
    this.#jobs = []
    if (!first.isUsed) return
    for (const mutant of this.#alive) {
      if (this.#loaded.has(mutant) && this.#isStateful) continue
      const tests = new Set([...first.tests].filter(([, reached]) => reached.has(mutant)).map(([test]) => test))
      if (this.#isStateful) {
        if (loading.has(mutant) || tests.size > 0) this.#jobs.push({ is: "reload", file, mutant })
      } else if (loading.has(mutant)) this.#jobs.push({ is: "mutant", file, mutant, tests: "all" })
      else if (tests.size > 0) this.#jobs.push({ is: "mutant", file, mutant, tests })
    }
    for (const mutant of this.#loaded) this.#jobs.push({ is: "reload", file, mutant })
  }

  /** Records that a test has killed a mutant. */
  kill(mutant: number): void {
    this.#alive.delete(mutant)
  }
}
