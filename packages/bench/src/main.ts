import * as os from "node:os"
import process from "node:process"

/** The suites in the order they run. Each is a module of this folder that exports `run: () => Promise<void>`. */
const suites = ["slots", "signature", "http", "storage"]

interface Suite {
  readonly run: () => Promise<void>
}

const isSuite = (module: unknown): module is Suite =>
  typeof module === "object" && module !== null && "run" in module && typeof module.run === "function"

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !suites.includes(name))
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(", ")}. There are: ${suites.join(", ")}.`)
  process.exit(1)
}

const cpus = os.cpus()
console.log(`${cpus[0]?.model ?? "unknown CPU"}, ${cpus.length} cores, Node ${process.versions.node}, ${os.platform()}`)
console.log(new Date().toISOString())

for (const name of asked.length > 0 ? asked : suites) {
  console.log(`\n# ${name}`)
  // Loaded only now, so that a suite neither warms up nor slows down another.
  const suite: unknown = await import(`./${name}.ts`)
  if (!isSuite(suite)) throw new TypeError(`The suite ${name} does not export run.`)
  await suite.run()
}
