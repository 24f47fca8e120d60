import * as fs from "node:fs"
import * as path from "node:path"
import process from "node:process"
import { createVitest } from "vitest/node"
import { instrument } from "./Instrument.ts"
import * as Plan from "./Plan.ts"

// Runs the mutants of one module in one warm worker. `main.ts` starts it, watches its log, and starts it again when a
// mutant makes it hang.

const plan = Plan.fromEnvironment()
const [first] = plan.tests
const here = import.meta.dirname

const vitest = await createVitest(
  {
    config: false,
    root: plan.root,
    watch: false,
    include: first === undefined ? [] : [path.relative(plan.root, first)],
    env: { FRONTDESK_TEST_SEED: process.env["FRONTDESK_TEST_SEED"] ?? "348871703" },
    setupFiles: [path.join(plan.root, "packages/testing/test/seed.ts"), path.join(here, "noShrinking.ts")],
    runner: path.join(here, "MutationRunner.ts"),
    // One worker that keeps the modules it has loaded. A thread ends with this process, even in an endless loop.
    pool: "threads",
    isolate: false,
    // Otherwise other runs of vitest would find the changed module in its cache, and this one the unchanged.
    fsModuleCache: false,
    maxWorkers: 1,
    fileParallelism: false,
    reporters: [{}],
    testTimeout: 30_000,
    hookTimeout: 30_000
  },
  {
    plugins: [
      {
        name: "frontdesk-mutation",
        enforce: "pre",
        load: (id) => {
          const file = id.split("?")[0] ?? id
          return file === plan.module ? instrument(file, fs.readFileSync(file, "utf8")).code : undefined
        }
      }
    ]
  }
)

const { testModules, unhandledErrors } = await vitest.start()
if (testModules.length === 0) console.error(unhandledErrors)
await vitest.close()
process.exit(0)
