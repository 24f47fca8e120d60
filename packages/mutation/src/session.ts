import * as fs from "node:fs"
import * as path from "node:path"
import process from "node:process"
import { createVitest } from "vitest/node"
import { instrument } from "./Instrument.ts"
import * as Plan from "./Plan.ts"

// Runs the mutants of one module in one worker that keeps its loaded modules. `main.ts` starts it and watches its log.
// When a mutant makes it hang, `main.ts` kills it and starts it again.

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
    // One worker that keeps its loaded modules. A thread ends with this process, even in an endless loop.
    pool: "threads",
    isolate: false,
    // With the cache, other runs of vitest could use the instrumented module, and this one the original.
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
