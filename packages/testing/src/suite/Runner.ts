import process from "node:process"

/** How a runner executes one test. */
export interface TestOptions {
  /** In milliseconds. Without it the default of the runner applies. */
  readonly timeout?: number
  readonly skip?: boolean
}

interface Registration {
  readonly describe: (name: string, register: () => void) => unknown
  /** The runner aborts the signal when the test takes longer than its timeout. */
  readonly it: (
    name: string,
    options: TestOptions,
    test: (context: { readonly signal: AbortSignal }) => Promise<void>
  ) => unknown
}

interface HooksOfVitest {
  readonly beforeAll: (hook: () => Promise<void>, timeout?: number) => unknown
  readonly afterAll: (hook: () => Promise<void>, timeout?: number) => unknown
}

interface HooksOfNode {
  readonly before: (hook: () => Promise<void>, options?: { readonly timeout?: number }) => unknown
  readonly after: (hook: () => Promise<void>, options?: { readonly timeout?: number }) => unknown
}

/**
 * What a suite needs of a test runner. The modules `vitest` and `node:test` are runners as they are.
 *
 * @example
 * ```ts
 * import * as runner from "node:test"
 *
 * storageSuite("my storage", myStorage, { runner })
 * ```
 */
export type Runner = Registration & (HooksOfVitest | HooksOfNode)

/** Names the test runner of a suite. */
export interface RunnerOptions {
  /** The runner that executes the tests. Default: the Vitest that runs the file. */
  readonly runner?: Runner
}

// Vitest sets the variable in the processes that run test files. Elsewhere it may be absent, and loading it takes time.
const vitest: Runner | undefined = process.env["VITEST"] === undefined ? undefined : await import("vitest")

/** Returns the runner that the options name, or else the Vitest that runs the file. Throws if there is none. */
export const runnerOf = ({ runner = vitest }: RunnerOptions): Runner => {
  if (runner !== undefined) return runner
  throw new Error(
    'The suite has no test runner, because Vitest does not run this file. Pass one as an option: import * as runner from "node:test" and { runner }.'
  )
}

/** Registers hooks that run before and after all tests of the present `describe` block, with a timeout for each. */
export const aroundAll = (
  runner: Runner,
  hooks: { readonly before: () => Promise<void>; readonly after: () => Promise<void> },
  timeout: number | undefined
): void => {
  if ("beforeAll" in runner) {
    runner.beforeAll(hooks.before, timeout)
    runner.afterAll(hooks.after, timeout)
  } else {
    const options = timeout === undefined ? {} : { timeout }
    runner.before(hooks.before, options)
    runner.after(hooks.after, options)
  }
}
