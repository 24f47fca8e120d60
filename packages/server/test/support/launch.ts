import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Assembly from "frontdesk/Assembly"
import { run as runCommandLine } from "frontdesk/cli/Cli"
import * as Signals from "frontdesk/Signals"

/**
 * The command line in the process of the tests. It has the real settings, files, sockets and databases, and costs a
 * hundredth of a process of its own. Tests of exit codes, signals, standard input and kills use `asProcess.ts` instead.
 */

/** How a command ended. */
export interface End {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Settings by the names of their variables. */
export type Settings = Readonly<Record<string, string>>

/** What a command writes to. */
type Output = "stdout" | "stderr"

/** What a command has written so far, and who waits for more. */
const makeOutputs = () => {
  const written = { stdout: "", stderr: "" }
  const waiting = new Set<() => void>()
  const write =
    (output: Output) =>
    (...parts: ReadonlyArray<unknown>): void => {
      written[output] += `${parts.join(" ")}\n`
      for (const look of waiting) look()
    }
  const captured: Console.Console = { ...console, log: write("stdout"), error: write("stderr") }
  return { written, waiting, console: captured }
}

/** Settings of every command in a folder: its database, unless others are given. */
const settingsIn = (folder: string, settings: Settings = {}): Settings => ({
  FRONTDESK_DATABASE_URL: `sqlite:${join(folder, "data/frontdesk.db")}`,
  ...settings
})

/** Starts a command in a folder. */
const launch = (
  folder: string,
  args: ReadonlyArray<string>,
  settings: Settings | undefined,
  around = Assembly.Around.defaultValue()
) => {
  const outputs = makeOutputs()
  const stop = Deferred.makeUnsafe<NodeJS.Signals>()
  const fiber = Effect.runFork(
    runCommandLine(args).pipe(
      Effect.provideService(Console.Console, outputs.console),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settingsIn(folder, settings))),
      Effect.provideService(Assembly.Around, around),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provideService(Signals.StopRequest, () => Deferred.await(stop))
    )
  )
  let isOver = false
  const end = (code: number): End => {
    isOver = true
    for (const look of outputs.waiting) look()
    return { code, ...outputs.written }
  }
  const ended = Effect.runPromise(Fiber.await(fiber)).then((exit) => end(exit._tag === "Success" ? exit.value : 130))
  const wrote = (output: Output, what: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = (): void => {
        const match = what.exec(outputs.written[output])
        if (match === null && !isOver) return
        outputs.waiting.delete(look)
        if (match === null) reject(new Error(`The command ended without ${what}: ${outputs.written.stderr}`))
        else resolve(match)
      }
      outputs.waiting.add(look)
      look()
    })
  return { ended, fiber, wrote, stop }
}

/** Runs a command to its end, in a folder. */
export const run = (
  folder: string,
  args: ReadonlyArray<string>,
  options: { readonly settings?: Settings } = {}
): Promise<End> => launch(folder, args, options.settings).ended

/** Applies a provisioning document to the database of a folder; rejects where that fails. */
export const provision = async (folder: string, document: unknown, settings: Settings = {}): Promise<void> => {
  const file = join(folder, "provision.json")
  writeFileSync(file, JSON.stringify(document))
  const { code, stderr } = await run(folder, ["provision", file], { settings })
  if (code !== 0) throw new Error(`The document was not applied: ${stderr}`)
}

/** A server that is listening. */
export interface Server {
  readonly url: string
  /** Resolves once this has been written. Rejects when the server ends without it. */
  readonly wrote: (output: Output, what: RegExp) => Promise<RegExpExecArray>
  /** Resolves once the server has ended. */
  readonly ended: Promise<End>
  /** Stops the server as a signal does, and resolves once it has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<End>
  /** Breaks the server off, and does not wait for its end. */
  readonly abandon: () => void
}

/** How a server is started. */
export interface ServeOptions {
  readonly settings?: Settings
  readonly args?: ReadonlyArray<string>
  /** What is put around the adapters of the server. */
  readonly around?: (adapters: Assembly.Adapters) => Assembly.Adapters
}

/** Starts a server on a free port, in a folder whose database it shares with the other commands. */
export const serve = async (folder: string, options: ServeOptions = {}): Promise<Server> => {
  const settings = { FRONTDESK_PORT: "0", FRONTDESK_LOG_FORMAT: "json", ...options.settings }
  const { ended, fiber, stop, wrote } = launch(folder, ["serve", ...(options.args ?? [])], settings, options.around)
  const [, url = ""] = await wrote("stderr", /"logEvent":"server\.listening","url":"(http:[^"]+)"/)
  return {
    url,
    wrote,
    ended,
    stop: (signal = "SIGTERM") => {
      Deferred.doneUnsafe(stop, Effect.succeed(signal))
      return ended
    },
    abandon: () => void Effect.runFork(Fiber.interrupt(fiber))
  }
}
