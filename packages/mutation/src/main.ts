import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import * as ImportGraph from "./ImportGraph.ts"
import { describe, instrument, type Mutant } from "./Instrument.ts"
import * as Log from "./Log.ts"
import * as Plan from "./Plan.ts"
import { pureRules } from "./PureRules.ts"

const root = path.resolve(import.meta.dirname, "../../..")
const cache = path.join(root, "node_modules/.cache/mutation")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of modules that are mutated at once. */
    jobs: { type: "string", default: String(os.availableParallelism()) },
    /** The maximum number of test files for a module. */
    "max-files": { type: "string", default: "8" },
    /** The maximum processor time of a test file, in seconds. A file that needs more is not used. */
    "max-seconds": { type: "string", default: "10" },
    /** The time after which a session without output counts as hanging in its mutant, in seconds. */
    "max-silence": { type: "string", default: "60" }
  }
})

/** Returns the modules under the given paths; the pure rules of core when none is given. */
const modulesOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (paths.length === 0) return pureRules(root)
  return paths.flatMap((file) => {
    const whole = path.resolve(root, file)
    if (!fs.existsSync(whole)) throw new Error(`The path ${file} does not exist.`)
    if (!fs.statSync(whole).isDirectory()) return [whole]
    return fs
      .globSync("**/*.ts", { cwd: whole })
      .map((name) => path.join(whole, name))
      .toSorted()
  })
}

interface Result {
  readonly module: string
  readonly mutants: ReadonlyArray<Mutant>
  readonly survivors: ReadonlyArray<Mutant>
  /** The survivors that no test reaches. */
  readonly uncovered: ReadonlySet<number>
  readonly problems: ReadonlyArray<string>
}

/** Runs a session until it ends. Returns false when it was killed because it hung. */
const run = (planFile: string, log: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "session.ts")], {
      cwd: root,
      env: { ...process.env, [Plan.variable]: planFile },
      stdio: ["ignore", "ignore", "inherit"]
    })
    let size = -1
    let since = Date.now()
    const watch = setInterval(() => {
      const now = fs.existsSync(log) ? fs.statSync(log).size : 0
      if (now !== size) since = Date.now()
      size = now
      if (Date.now() - since > Number(values["max-silence"]) * 1_000) child.kill("SIGKILL")
    }, 250)
    child.once("close", (_, signal) => {
      clearInterval(watch)
      resolve(signal !== "SIGKILL")
    })
  })

const mutate = async (module: string, graph: ImportGraph.ImportGraph): Promise<Result> => {
  const { isStateful, mutants } = instrument(module, fs.readFileSync(module, "utf8"))
  const tests = ImportGraph.testsOf(graph, root, module).slice(0, Number(values["max-files"]))
  const name = path.relative(root, module).replaceAll(/[/.]/g, "_")
  const log = path.join(cache, `${name}.jsonl`)
  const planFile = path.join(cache, `${name}.plan.json`)
  const plan: Plan.Plan = {
    root,
    module,
    tests,
    mutants: mutants.length,
    isStateful,
    log,
    maxSeconds: Number(values["max-seconds"])
  }
  fs.mkdirSync(cache, { recursive: true })
  fs.rmSync(log, { force: true })
  fs.writeFileSync(planFile, JSON.stringify(plan))
  if (mutants.length > 0 && tests.length > 0) {
    while (!(await run(planFile, log))) {
      const started = Log.read(log).findLast((entry) => entry.is === "started" || entry.is === "alive")
      if (started?.is !== "started") throw new Error(`The tests of ${module} hang even without a mutant.`)
      Log.append(log, { is: "killed", mutant: started.mutant, by: "no end" })
    }
  }
  const entries = Log.read(log)
  const killed = new Set(entries.flatMap((entry) => (entry.is === "killed" ? [entry.mutant] : [])))
  const covered = new Set(entries.flatMap((entry) => (entry.is === "covered" ? [entry.mutant] : [])))
  const survivors = mutants.filter(({ id }) => !killed.has(id))
  return {
    module: path.relative(root, module),
    mutants,
    survivors,
    uncovered: new Set(survivors.filter(({ id }) => !covered.has(id)).map(({ id }) => id)),
    problems: entries.flatMap((entry) => (entry.is === "problem" ? [entry.message] : []))
  }
}

const score = (killed: number, all: number): string => (all === 0 ? "none" : `${((100 * killed) / all).toFixed(1)} %`)

const line = (module: string, mutants: number, survivors: number): string =>
  `${module}: ${score(mutants - survivors, mutants)} (${mutants} mutants, ${survivors} survive)`

const print = (result: Result): void => {
  console.log(line(result.module, result.mutants.length, result.survivors.length))
  for (const problem of result.problems) console.log(`  ! ${problem}`)
  for (const mutant of result.survivors) {
    console.log(`  ${describe(mutant)}${result.uncovered.has(mutant.id) ? " (no test reaches it)" : ""}`)
  }
}

const graph = ImportGraph.make(root)
const waiting = [...modulesOf(positionals)]
let mutants = 0
let survivors = 0
const worker = async (): Promise<void> => {
  for (let module = waiting.shift(); module !== undefined; module = waiting.shift()) {
    const result = await mutate(module, graph)
    mutants += result.mutants.length
    survivors += result.survivors.length
    print(result)
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
console.log(line("all", mutants, survivors))
