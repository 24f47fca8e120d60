import * as fs from "node:fs"
import process from "node:process"

/** The plan of one session, which runs the mutants of one module with some test files. */
export interface Plan {
  /** The root of the workspace. */
  readonly root: string
  /** The absolute path of the module. */
  readonly module: string
  /** The absolute paths of the test files, nearest first. */
  readonly tests: ReadonlyArray<string>
  /** The number of mutants of the module. */
  readonly mutants: number
  /** Whether the module is loaded again for each mutant, because it has state between calls. */
  readonly isStateful: boolean
  /** The log that the session writes. */
  readonly log: string
  /** A test file that needs more seconds of processor time than this runs no mutants. */
  readonly maxSeconds: number
}

/** The environment variable that names the file with the plan. */
export const variable = "FRONTDESK_MUTATION_PLAN"

const isPlan = (value: unknown): value is Plan =>
  typeof value === "object" && value !== null && "module" in value && "tests" in value && "log" in value

/** Returns the plan that the environment names. Throws when there is none. */
export const fromEnvironment = (): Plan => {
  const plan: unknown = JSON.parse(fs.readFileSync(process.env[variable] ?? "", "utf8"))
  if (!isPlan(plan)) throw new TypeError(`${variable} does not name a plan.`)
  return plan
}
