import type { Runner, TestOptions } from "./Runner.ts"

/** The result of a test of a recorded suite. */
export interface RecordedTest {
  /** The names of the blocks and of the test, joined by " > ". */
  readonly name: string
  readonly result: "passed" | "failed" | "skipped"
  /** The error of a test that failed. */
  readonly failure?: unknown
}

/** Options of {@link recordSuite}. */
export interface RecordingOptions {
  /** Chooses tests by their full name. Default: all tests. */
  readonly only?: (name: string) => boolean
  /** The timeout in milliseconds of a test that has none of its own, and of a hook. Default: 30,000. */
  readonly timeout?: number
  /** Whether the tests after the first one that fails are left out. Default: false. */
  readonly stopsAtFailure?: boolean
}

/**
 * Runs a suite inside a test, one test after the other, and returns the result of each test in the order of the suite.
 * With it a test can check that a suite finds the fault of a broken adapter.
 *
 * @example
 * ```ts
 * const tests = await recordSuite((runner) => teamStoreSuite("broken", Broken.layer, { runner }))
 * const caught = tests.filter(({ result }) => result === "failed")
 * ```
 */
export const recordSuite = async (
  register: (runner: Runner) => void,
  { only = () => true, timeout = 30_000, stopsAtFailure = false }: RecordingOptions = {}
): Promise<ReadonlyArray<RecordedTest>> => {
  const root = makeBlock("")
  let present = root
  register({
    describe: (name, registerBlock) => {
      const outer = present
      present = makeBlock(fullName(outer, name))
      outer.entries.push(present)
      registerBlock()
      present = outer
    },
    it: (name, options, test) => {
      present.entries.push({ name: fullName(present, name), options, test })
    },
    beforeAll: (hook) => present.before.push(hook),
    afterAll: (hook) => present.after.push(hook)
  })
  return runBlock(root, only, timeout, stopsAtFailure)
}

interface RegisteredTest {
  readonly name: string
  readonly options: TestOptions
  readonly test: Parameters<Runner["it"]>[2]
}

type Hooks = Array<() => Promise<void>>

interface Block {
  readonly name: string
  readonly before: Hooks
  readonly after: Hooks
  readonly entries: Array<Block | RegisteredTest>
}

const makeBlock = (name: string): Block => ({ name, before: [], after: [], entries: [] })

const fullName = (block: Block, name: string) => (block.name === "" ? name : `${block.name} > ${name}`)

const runBlock = async (
  block: Block,
  only: (name: string) => boolean,
  timeout: number,
  stopsAtFailure: boolean
): Promise<ReadonlyArray<RecordedTest>> => {
  const tests: Array<RecordedTest> = []
  const hasTests = namesOf(block).some(only)
  const prepared = hasTests ? await attempt(() => inTurn(block.before), timeout) : undefined
  for (const entry of block.entries) {
    if (stopsAtFailure && tests.some(({ result }) => result === "failed")) break
    if ("entries" in entry) tests.push(...(await runBlock(entry, only, timeout, stopsAtFailure)))
    else if (only(entry.name)) tests.push({ name: entry.name, ...(prepared ?? (await runTest(entry, timeout))) })
  }
  const released = hasTests ? await attempt(() => inTurn(block.after), timeout) : undefined
  if (released !== undefined) tests.push({ name: fullName(block, "afterAll"), ...released })
  return tests
}

const namesOf = (block: Block): ReadonlyArray<string> =>
  block.entries.flatMap((entry) => ("entries" in entry ? namesOf(entry) : entry.name))

const inTurn = async (hooks: Hooks) => {
  for (const hook of hooks) await hook()
}

const runTest = async ({ options, test }: RegisteredTest, timeout: number): Promise<Omit<RecordedTest, "name">> => {
  if (options.skip === true) return { result: "skipped" }
  return (await attempt((signal) => test({ signal }), options.timeout ?? timeout)) ?? { result: "passed" }
}

/** Returns the failure of the work, or undefined if it succeeds within the timeout. */
const attempt = async (
  work: (signal: AbortSignal) => Promise<void>,
  timeout: number
): Promise<Omit<RecordedTest, "name"> | undefined> => {
  const controller = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    const error = new Error(`It took longer than ${timeout} ms.`)
    reject(error)
    controller.abort(error)
  }, timeout)
  try {
    await Promise.race([work(controller.signal), late])
    return undefined
  } catch (failure) {
    return { result: "failed", failure }
  } finally {
    clearTimeout(timer)
  }
}
