import { type ChildProcess, spawn } from "node:child_process"
import process from "node:process"
import { atEnd } from "./atEnd.ts"
import * as Programs from "./programs.ts"

type Environment = Readonly<Record<string, string>>

/** Returns the environment of a process: the given settings, and everything but settings from this environment. */
const environmentOf = (settings: Environment): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))),
  ...settings
})

/** The end of a process, and what it printed. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

type Output = "stdout" | "stderr"

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<End>
  /** Resolves once the output matches the pattern. Rejects when the process ends before that. */
  readonly wrote: (output: Output, what: RegExp) => Promise<RegExpExecArray>
}

const launch = (args: ReadonlyArray<string>, cwd: string, settings: Environment, stdin: string): Running => {
  const child = spawn(process.execPath, [...Programs.commandLine, ...args], { cwd, env: environmentOf(settings) })
  atEnd(() => void child.kill("SIGKILL"))
  const written = { stdout: "", stderr: "" }
  for (const output of ["stdout", "stderr"] as const) {
    child[output].setEncoding("utf8").on("data", (chunk: string) => {
      written[output] += chunk
    })
  }
  child.stdin.end(stdin)
  const ended = new Promise<End>((resolve) => {
    child.once("close", (code, signal) => {
      resolve({ code, signal, ...written })
    })
  })
  const wrote = (output: Output, what: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const recheck = (): void => {
        const match = what.exec(written[output])
        if (match !== null) resolve(match)
      }
      child[output].on("data", recheck)
      recheck()
      void ended.then(({ code, stderr }) => reject(new Error(`The process ended with ${code}: ${stderr}`)))
    })
  return { child, ended, wrote }
}

/** Runs a command in a folder as a process, and returns its end. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: { readonly settings?: Environment; readonly stdin?: string } = {}
): Promise<End> => launch(args, cwd, options.settings ?? {}, options.stdin ?? "").ended

/** A running server. */
export interface Server extends Running {
  readonly url: string
  /** Sends the process a signal and returns its end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<End>
}

/** Starts a server in a folder as a process, on a free port and with the database of the folder. */
export const serve = async (
  cwd: string,
  options: { readonly settings?: Environment; readonly args?: ReadonlyArray<string> } = {}
): Promise<Server> => {
  const settings = { FRONTDESK_PORT: "0", FRONTDESK_LOG_FORMAT: "json", ...options.settings }
  const { child, ended, wrote } = launch(["serve", ...(options.args ?? [])], cwd, settings, "")
  const [, url = ""] = await wrote("stderr", /"logEvent":"server\.listening","url":"(http:[^"]+)"/)
  const stop = (signal: NodeJS.Signals = "SIGTERM"): Promise<End> => {
    child.kill(signal)
    return ended
  }
  return { child, ended, wrote, url, stop }
}
