import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { version } from "../Version.ts"
import { exitCodes } from "./CommandFailure.ts"
import { serve } from "./ServeCommand.ts"

const frontdesk = Command.make("frontdesk").pipe(
  Command.withDescription(
    "Runs Frontdesk, a server for AI voice agents, and manages its accounts, keys, calendars, mail and webhooks."
  )
)

/** Runs `frontdesk serve` without loading the other commands, because a server starts faster without them. */
const runServe = Command.runWith(frontdesk.pipe(Command.withSubcommands([serve])), { version })

const runAny = (args: ReadonlyArray<string>) =>
  Effect.flatMap(
    Effect.promise(() => import("./OperatorCommands.ts")),
    ({ operatorCommands }) =>
      Command.runWith(frontdesk.pipe(Command.withSubcommands([serve, ...operatorCommands])), { version })(args)
  )

/** Prints the errors of a wrong command line to standard error, and which `--help` explains the command. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [
            ...event.errors.map((error) => `frontdesk: ${error.message}`),
            `"${event.commandPath.join(" ")} --help" explains the command`
          ].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
}

const environment = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  // Without the built-in --log-level, because Frontdesk has a setting with that name.
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)

/**
 * Returns the arguments in a form in which the parser takes `-1 hours` as a value. Otherwise it would read the letters as
 * short flags, and the `h` as `--help`.
 *
 * No flag begins with a digit, so an argument with a minus and a digit is always a value. After a flag it is joined to the
 * flag with `=`. Any other one is moved to the end, after `--`.
 */
const protectNegativeValues = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const result: Array<string> = []
  const end = args.indexOf("--")
  const options = end === -1 ? args : args.slice(0, end)
  const values: Array<string> = []
  for (const arg of options) {
    const before = result.at(-1)
    if (!/^-\.?\d/.test(arg)) result.push(arg)
    else if (before !== undefined && /^(--[a-z][a-z-]*|-[a-z])$/.test(before)) result[result.length - 1] += `=${arg}`
    else values.push(arg)
  }
  if (end !== -1) values.push(...args.slice(end + 1))
  return values.length === 0 ? result : [...result, "--", ...values]
}

/** Runs the command line with the arguments and returns the exit code. It never fails: errors go to standard error. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number> =>
  (args[0] === "serve" ? runServe : runAny)(protectNegativeValues(args)).pipe(
    Effect.as<number>(exitCodes.success),
    Effect.catchTags({
      Failure: ({ text, exitCode }) => Effect.as(Console.error(`frontdesk: ${text}`), exitCode),
      ShowHelp: ({ errors }) => Effect.succeed(errors.length === 0 ? exitCodes.success : exitCodes.usage)
    }),
    Effect.catchCause((cause) =>
      Effect.as(Console.error(`frontdesk: unexpected error\n${Cause.pretty(cause)}`), exitCodes.failure)
    ),
    Effect.provide(environment)
  )
