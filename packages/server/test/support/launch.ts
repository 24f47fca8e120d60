import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Assembly from "frontdesk/Assembly"
import { run as runCommandLine } from "frontdesk/cli/Cli"
import * as Signals from "frontdesk/Signals"
import * as ReconcilePlan from "@frontdesk/core/call/ReconcilePlan"
import { CurrentOutboxSettings, defaultSettings } from "@frontdesk/core/worker/OutboxWorker"

/*
 * Runs the command line in the process of the tests, with real settings, files, sockets and databases. That costs a
 * hundredth of a separate process. Tests of exit codes, signals, standard input and kills use `asProcess.ts` instead.
 */

/** The end of a command: its exit code and what it printed. */
export interface End {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Settings by the names of their variables. */
export type Settings = Readonly<Record<string, string>>

/** A stream of a command's output. */
type Output = "stdout" | "stderr"

/** Parts of the server that a test replaces. */
export interface Replaced {
  /** Wraps the adapters of the server. */
  readonly around?: (adapters: Assembly.Adapters) => Assembly.Adapters
  /** When the server asks the call provider about a call. */
  readonly reconcilePlan?: ReconcilePlan.Plan
  /** How often the server looks for due tasks of the outbox that another process has made due. */
  readonly outboxPoll?: Duration.Duration
  readonly clock?: Clock.Clock
}

/** Captures the output of a command. `waiting` has a callback for each test that waits for more output. */
const makeOutputs = () => {
  const written = { stdout: "", stderr: "" }
  const waiting = new Set<() => void>()
  const write =
    (output: Output) =>
    (...parts: ReadonlyArray<unknown>): void => {
      written[output] += `${parts.join(" ")}\n`
      for (const recheck of waiting) recheck()
    }
  const captured: Console.Console = { ...console, log: write("stdout"), error: write("stderr") }
  return { written, waiting, console: captured }
}

/** Returns the settings of a command in a folder: a database in the folder, and the given settings. */
const settingsIn = (folder: string, settings: Settings = {}): Settings => ({
  FRONTDESK_DATABASE_URL: `sqlite:${join(folder, "data/frontdesk.db")}`,
  ...settings
})

/** Starts a command with the database of a folder. */
const launch = (
  folder: string,
  args: ReadonlyArray<string>,
  settings: Settings | undefined,
  {
    around = Assembly.Around.defaultValue(),
    clock = Clock.Clock.defaultValue(),
    outboxPoll = defaultSettings.poll,
    reconcilePlan = ReconcilePlan.standard
  }: Replaced = {}
) => {
  const outputs = makeOutputs()
  const stop = Deferred.makeUnsafe<NodeJS.Signals>()
  const fiber = Effect.runFork(
    runCommandLine(args).pipe(
      Effect.provideService(Console.Console, outputs.console),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settingsIn(folder, settings))),
      Effect.provideService(Assembly.Around, around),
      Effect.provideService(ReconcilePlan.ReconcilePlan, reconcilePlan),
      Effect.provideService(CurrentOutboxSettings, { ...defaultSettings, poll: outboxPoll }),
      Effect.provideService(Clock.Clock, clock),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provideService(Signals.StopRequest, () => Deferred.await(stop))
    )
  )
  let isOver = false
  const end = (code: number): End => {
    isOver = true
    for (const recheck of outputs.waiting) recheck()
    return { code, ...outputs.written }
  }
  const ended = Effect.runPromise(Fiber.await(fiber)).then((exit) => end(exit._tag === "Success" ? exit.value : 130))
  const wrote = (output: Output, what: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const recheck = (): void => {
        const match = what.exec(outputs.written[output])
        if (match === null && !isOver) return
        outputs.waiting.delete(recheck)
        if (match === null) reject(new Error(`The command ended without ${what}: ${outputs.written.stderr}`))
        else resolve(match)
      }
      outputs.waiting.add(recheck)
      recheck()
    })
  return { ended, fiber, wrote, stop }
}

/** Runs a command with the database of a folder, and returns its end. */
export const run = (
  folder: string,
  args: ReadonlyArray<string>,
  options: { readonly settings?: Settings } = {}
): Promise<End> => launch(folder, args, options.settings).ended

/** Applies a provisioning document to the database of a folder. Rejects when the document is invalid. */
export const provision = async (folder: string, document: unknown, settings: Settings = {}): Promise<void> => {
  const file = join(folder, "provision.json")
  writeFileSync(file, JSON.stringify(document))
  const { code, stderr } = await run(folder, ["provision", file], { settings })
  if (code !== 0) throw new Error(`The document was not applied: ${stderr}`)
}

/** A running server. */
export interface Server {
  readonly url: string
  /** Resolves once the output matches the pattern. Rejects when the server ends before that. */
  readonly wrote: (output: Output, what: RegExp) => Promise<RegExpExecArray>
  /** Resolves once the server has ended. */
  readonly ended: Promise<End>
  /** Stops the server as a signal does, and resolves once it has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<End>
  /** Interrupts the server without waiting for its end. */
  readonly interrupt: () => void
}

/** Options of a new server. */
export interface ServeOptions extends Replaced {
  readonly settings?: Settings
  readonly args?: ReadonlyArray<string>
}

/** Starts a server on a free port, with the database of a folder. */
export const serve = async (folder: string, options: ServeOptions = {}): Promise<Server> => {
  const settings = { FRONTDESK_PORT: "0", FRONTDESK_LOG_FORMAT: "json", ...options.settings }
  const { ended, fiber, stop, wrote } = launch(folder, ["serve", ...(options.args ?? [])], settings, options)
  const [, url = ""] = await wrote("stderr", /"logEvent":"server\.listening","url":"(http:[^"]+)"/)
  return {
    url,
    wrote,
    ended,
    stop: (signal = "SIGTERM") => {
      Deferred.doneUnsafe(stop, Effect.succeed(signal))
      return ended
    },
    interrupt: () => void Effect.runFork(Fiber.interrupt(fiber))
  }
}
