import * as os from "node:os"
import process from "node:process"
import type { HttpOptions } from "./http.ts"

/** The suites in the order in which they run. Each is a module of this folder that exports `run`. */
const suites = [
  "slots",
  "signature",
  "embed",
  "notifications",
  "start",
  "http",
  "endpoints",
  "storage",
  "deliveries",
  "outbox",
  "postgres",
  "abuse",
  "reads",
  "tools",
  "dashboard"
]

interface Suite {
  readonly run: (options: HttpOptions) => Promise<void>
}

const isSuite = (module: unknown): module is Suite =>
  typeof module === "object" && module !== null && "run" in module && typeof module.run === "function"

const flags = ["--quick", "--profile", "--sqlite", "--postgres"]
const given = process.argv.slice(2)
const selected = given.filter((word) => !flags.includes(word))
const unknown = selected.filter((name) => !suites.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown suites: ${unknown.join(", ")}. Use ${suites.join(", ")}, and the flags ${flags.join(", ")}.`)
  process.exit(1)
}

const cpus = os.cpus()
console.log(`${cpus[0]?.model ?? "unknown CPU"}, ${cpus.length} cores, Node ${process.versions.node}, ${os.platform()}`)
console.log(new Date().toISOString())

for (const name of selected.length > 0 ? selected : suites) {
  console.log(`\n# ${name}`)
  // Loaded here, so that loading a suite does not affect the measurements of the suite before.
  const suite: unknown = await import(`./${name}.ts`)
  if (!isSuite(suite)) throw new TypeError(`The suite ${name} does not export a function run.`)
  await suite.run({
    quick: given.includes("--quick"),
    profile: given.includes("--profile"),
    ...(given.includes("--sqlite") && { database: "sqlite" }),
    ...(given.includes("--postgres") && { database: "postgres" })
  })
}
