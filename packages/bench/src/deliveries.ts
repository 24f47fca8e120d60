import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Backlog from "./deliveries/Backlog.ts"
import * as Engine from "./deliveries/Engine.ts"
import * as CalendarEventCost from "./deliveries/CalendarEventCost.ts"
import * as Flood from "./deliveries/Flood.ts"
import * as Inbox from "./deliveries/Inbox.ts"
import * as Neighbour from "./deliveries/Neighbour.ts"
import * as Throughput from "./deliveries/Throughput.ts"
import type { SuiteOptions } from "./Rounds.ts"

const full = {
  throughput: { count: 10_000, produced: 2_000, rounds: 5 },
  neighbour: { count: 100, pause: 4, rounds: 40 },
  flood: { due: 16_000, count: 100, pause: 4, rounds: 6 },
  calendarEventCost: { count: 1_000, rounds: 5 },
  backlog: 100_000
}

const smoke: typeof full = {
  throughput: { count: 100, produced: 50, rounds: 1 },
  neighbour: { count: 20, pause: 4, rounds: 1 },
  flood: { due: 400, count: 10, pause: 4, rounds: 1 },
  calendarEventCost: { count: 20, rounds: 1 },
  backlog: 500
}

const program = Effect.fnUntraced(function* (size: typeof full) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const inbox = yield* Effect.acquireRelease(Effect.promise(Inbox.open), (inbox) => Effect.promise(inbox.stop))
  /** Runs a measurement on a new database. */
  const on = (name: string, measure: (services: Engine.Context, filename: string) => Promise<void>) => {
    const filename = path.join(folder, `${name}.db`)
    return Effect.scoped(
      Effect.flatMap(Layer.build(Engine.layer(`sqlite:${filename}`)), (services) =>
        Effect.promise(() => measure(services, filename))
      )
    )
  }
  yield* on("throughput", (services) => Throughput.run(services, inbox, size.throughput))
  yield* on("neighbour", (services) => Neighbour.run(services, inbox, size.neighbour))
  yield* on("flood", (services) => Flood.run(services, inbox, size.flood))
  yield* on("events", (services, filename) => CalendarEventCost.run(services, filename, inbox, size.calendarEventCost))
  yield* on("backlog", (services) => Backlog.run(services, inbox, size.backlog))
})

/**
 * Prints deliveries a second compared with a bare loop, and the time of a delivery beside a receiver that hangs. Also
 * prints the cost of creating calendar events, compared with the same SQL by hand, and the memory in which a backlog
 * drains.
 */
export const run = ({ quick }: SuiteOptions): Promise<void> =>
  Effect.runPromise(Effect.scoped(program(quick ? smoke : full)))

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
