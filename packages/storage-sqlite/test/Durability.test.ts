import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { folder } from "./SqlClientSuite.ts"

const run = promisify(execFile)
const worker = fileURLToPath(new URL("groupWorker.ts", import.meta.url))

/** The ids and outcomes of `groupWorker.ts`, in the order of the answers. */
const answersIn = (output: string) =>
  [...output.matchAll(/answered (\d+)-(\d+) (\w+)/g)].map(([, round, index, outcome]) => ({
    id: `${round}-${index}`,
    round,
    outcome
  }))

describe("on a disk that becomes full", () => {
  it.effect.skipIf(process.platform === "win32")(
    "a group whose COMMIT fails is unavailable for all its members, and only what was acknowledged is stored (D-LITE-11)",
    () =>
      Effect.gen(function* () {
        const filename = Path.join(yield* folder, "test.db")
        // Node ignores the signal of this limit, so that a write beyond it fails.
        const limited = `ulimit -f 1000; exec "$0" "$@"`
        const { stdout } = yield* Effect.promise(() =>
          run("sh", ["-c", limited, process.execPath, worker, filename, "FULL", "40"])
        )
        const answers = answersIn(stdout)
        const outcomes = Object.values(Object.groupBy(answers, ({ round }) => round ?? "")).map((round) =>
          round?.map(({ outcome }) => outcome).toSorted()
        )
        const ofRound = (outcome: string) => [...Array.from({ length: 9 }, () => outcome), "refused"].toSorted()
        expect(outcomes).toHaveLength(40)
        const failed = outcomes.findIndex((round) => round?.includes("ConnectionError"))
        expect(failed).toBeGreaterThan(0)
        for (const round of outcomes.slice(0, failed)) expect(round).toEqual(ofRound("stored"))
        expect(outcomes[failed]).toEqual(ofRound("ConnectionError"))

        const database = new DatabaseSync(filename)
        const stored = database
          .prepare("SELECT id FROM item")
          .all()
          .map(({ id }) => id)
        database.close()
        const acknowledged = answers.filter(({ outcome }) => outcome === "stored").map(({ id }) => id)
        expect(new Set(stored)).toEqual(new Set(acknowledged))
      })
  )
})

/** Whether system calls can be traced, which containers may forbid. */
const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0

/** Returns the calls of a trace in the order of their ends. A call during which another thread made one has two lines. */
const callsIn = (trace: string): ReadonlyArray<string> => {
  const begun = new Map<string, string>()
  return trace.split("\n").flatMap((line) => {
    const [, thread = "", unfinished] = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line) ?? []
    if (unfinished !== undefined) {
      begun.set(thread, unfinished)
      return []
    }
    const [, resumed = "", rest = ""] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? []
    const start = begun.get(resumed)
    return [start === undefined ? line : `${resumed} ${start}${rest}`]
  })
}

/** Returns the answers that were written after a write to the write-ahead log that the disk had not confirmed. */
const tooEarly = (calls: ReadonlyArray<string>): ReadonlyArray<string> => {
  let isConfirmed = true
  const early: Array<string> = []
  for (const call of calls) {
    if (/pwrite(64|v)\(\d+<[^>]*-wal>/.test(call)) isConfirmed = false
    else if (/f(data)?sync\(\d+<[^>]*-wal>\)\s+= 0/.test(call)) isConfirmed = true
    else if (/write\(1<.*answered/.test(call) && !isConfirmed) early.push(call)
  }
  return early
}

describe.skipIf(!canTrace)("the system calls", () => {
  const traced = (synchronous: string) =>
    Effect.gen(function* () {
      const path = yield* folder
      const trace = Path.join(path, "trace")
      const options = ["-f", "-y", "-e", "trace=write,pwrite64,pwritev,fsync,fdatasync", "-o", trace]
      const child = [process.execPath, worker, Path.join(path, "test.db"), synchronous, "20"]
      const { stdout } = yield* Effect.promise(() => run("strace", [...options, ...child]))
      expect(answersIn(stdout)).toHaveLength(200)
      return callsIn(Fs.readFileSync(trace, "utf8"))
    })

  it.live("no transaction is answered before the disk has confirmed its COMMIT (D-LITE-11)", () =>
    Effect.gen(function* () {
      const calls = yield* traced("FULL")
      expect(tooEarly(calls)).toEqual([])
      // One confirmation serves the ten transactions of a round.
      const confirmations = calls.filter((call) => /f(data)?sync\(\d+<[^>]*-wal>\)/.test(call))
      expect(confirmations.length).toBeGreaterThanOrEqual(20)
      expect(confirmations.length).toBeLessThan(40)
    })
  )

  it.live("the trace shows answers before the confirmation with `synchronous: NORMAL`, so the test can fail", () =>
    Effect.gen(function* () {
      expect(tooEarly(yield* traced("NORMAL"))).not.toEqual([])
    })
  )
})
