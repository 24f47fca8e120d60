import { join } from "node:path"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { run } from "frontdesk/cli/Cli"

/** The exit code of a command, and what it printed. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process, with the database of a folder. It uses the clock of the effect that runs it. */
export const commandEffect = Effect.fnUntraced(function* (
  folder: string,
  args: ReadonlyArray<string>,
  settings: Readonly<Record<string, string>> = {}
): Effect.fn.Return<Outcome> {
  const stdout: Array<unknown> = []
  const stderr: Array<unknown> = []
  const captured: Console.Console = {
    ...console,
    log: (...parts: ReadonlyArray<unknown>) => void stdout.push(...parts),
    error: (...parts: ReadonlyArray<unknown>) => void stderr.push(...parts)
  }
  const environment = { FRONTDESK_DATABASE_URL: `sqlite:${join(folder, "data/frontdesk.db")}`, ...settings }
  const code = yield* run(args).pipe(
    Effect.provideService(Console.Console, captured),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))
  )
  return { code, stdout: stdout.join("\n"), stderr: stderr.join("\n") }
})

/** Runs a command like {@link commandEffect}, as a promise. */
export const command = (...args: Parameters<typeof commandEffect>): Promise<Outcome> =>
  Effect.runPromise(commandEffect(...args))

/** Runs a command and returns the JSON that it printed. Rejects when the exit code is not 0. */
export const commandJson = async (folder: string, args: ReadonlyArray<string>): Promise<unknown> => {
  const { code, stderr, stdout } = await command(folder, args)
  if (code !== 0) throw new Error(`frontdesk ${args.join(" ")} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
