import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import { CurrentWorkload } from "../storage/Workload.ts"
import * as Outage from "../storage/Outage.ts"
import { before } from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import { CurrentInstallation } from "./Installation.ts"
import { listedFor, reportEvery } from "./ServerNode.ts"
import { ServerNodeStore } from "./ServerNodeStore.ts"

/** How long the end of a process waits for the database, which may be the reason for the end. */
const leaveTimeout = Duration.seconds(2)

/**
 * Reports this process to the installation at once and then every 30 seconds, until it is interrupted. Then it takes the process
 * off the list. A failure is logged, and the next report follows. It never ends, and does nothing in a program that states nothing
 * ({@link CurrentInstallation}).
 */
export const run: Effect.Effect<never, never, ServerNodeStore> = Effect.gen(function* () {
  const installation = yield* CurrentInstallation
  if (installation === null) return yield* Effect.never
  const nodes = yield* ServerNodeStore
  const { node: name, runtime, version } = installation
  const startedAt = yield* DateTime.now

  const report = Effect.gen(function* () {
    const states = yield* installation.workers
    const restarting = states.filter(({ status }) => status === "restarting").length
    const reportedAt = yield* DateTime.now
    yield* nodes.report({ name, version, runtime, workers: states.length, restarting, startedAt, reportedAt })
    yield* Steps.sweepBefore(before(reportedAt, listedFor), nodes.sweep)
  }).pipe(Tracing.span("ServerPresence.report"))

  const leave = nodes
    .delete({ name, startedAt })
    .pipe(
      Tracing.span("ServerPresence.leave"),
      Effect.interruptible,
      Effect.timeout(leaveTimeout),
      Outage.survive("Warn", "This process could not be taken off the list of servers")
    )

  return yield* Loop.forever(report, {
    pause: reportEvery,
    level: "Warn",
    failure: "This process could not be reported in the list of servers"
  }).pipe(Effect.ensuring(leave))
}).pipe(Effect.provideService(CurrentWorkload, "worker"))
