import process from "node:process"
import { ReconcilePlan } from "@frontdesk/core/call/ReconcilePlan"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Assembly from "frontdesk/Assembly"
import { run } from "frontdesk/cli/Cli"
import { runProgram } from "frontdesk/cli/RunProgram"
import { around } from "./Interception.ts"

const Kill = Schema.Struct({
  signal: Schema.Literals(["SIGKILL", "SIGSTOP"]),
  point: Schema.String,
  when: Schema.Literals(["before", "after"]),
  pass: Schema.Int
})

const kill = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.NullOr(Kill)))(process.env["KILL_AT"] ?? "null")

/** Runs the command line with kill points around the ports, and with a reconcile plan that asks soon. */
runProgram(
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
