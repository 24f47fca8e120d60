import { enableCompileCache } from "node:module"
import { join } from "node:path"
import process from "node:process"

// `src/main.ts` does the same. This program runs as a bundle (`support/bundle.ts`), with a cache in the bundle's folder.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"))

const [Duration, Effect, Schema, Assembly, { run }, { ReconcilePlan }, { around }] = await Promise.all([
  import("effect/Duration"),
  import("effect/Effect"),
  import("effect/Schema"),
  import("frontdesk/Assembly"),
  import("frontdesk/cli/Cli"),
  import("@frontdesk/core/call/ReconcilePlan"),
  import("./Interception.ts")
])

const Kill = Schema.Struct({
  signal: Schema.Literals(["SIGKILL", "SIGSTOP"]),
  point: Schema.String,
  when: Schema.Literals(["before", "after"]),
  pass: Schema.Int
})

const kill = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.NullOr(Kill)))(process.env["KILL_AT"] ?? "null")

/** Runs the command line with kill points around the ports, and with a reconcile plan that asks soon. */
process.exitCode = await Effect.runPromise(
  run(process.argv.slice(2)).pipe(
    Effect.provideService(Assembly.Around, around(kill, process.env["KILL_TRACE"] ?? "/dev/null")),
    Effect.provideService(ReconcilePlan, {
      delays: [Duration.millis(700)],
      unansweredDelay: Duration.millis(700),
      unansweredRetryDelay: Duration.millis(700),
      // Minus the answer timeout, this is how long the start of a call may be delayed on a busy machine.
      submissionWindow: Duration.seconds(5),
      maxCallDuration: Duration.hours(1),
      margin: Duration.minutes(10),
      followUpDelays: Array.from({ length: 8 }, () => Duration.millis(700)),
      answerTimeout: Duration.seconds(1)
    })
  )
)
