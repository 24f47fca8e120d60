import { execFile, spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Os from "node:os"
import * as Path from "node:path"
import process from "node:process"
import { promisify } from "node:util"

/** The system user `nobody`, which exists on every system. Database servers refuse to run as root. */
const nobody = 65_534

/** Whether programs run as another user than this process. */
export const isForOthers = process.getuid?.() === 0

const user = isForOthers ? { uid: nobody, gid: nobody } : {}

/** Creates a temporary folder of the user that programs run as. */
export const makeFolder = async (name: string): Promise<string> => {
  const folder = await Fs.mkdtemp(Path.join(Os.tmpdir(), `frontdesk-${name}-`))
  if (isForOthers) await Fs.chown(folder, nobody, nobody)
  return folder
}

const execute = promisify(execFile)

/** Runs a program to its end, as the user that owns the folder. */
export const run = async (
  folder: string,
  program: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): Promise<void> => {
  await execute(program, args, { ...user, env, cwd: folder })
}

/** A running program. */
export interface GuardedProcess {
  /** Waits until the program has ended. */
  readonly ended: () => Promise<void>
  /** Closes the pipe to the program, which ends it and removes its folder, as when this process dies. */
  readonly leave: () => void
}

/** Which program is started, and how. */
export interface GuardedOptions {
  /** The folder in which the program runs. It is removed when this process dies. */
  readonly folder: string
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env?: NodeJS.ProcessEnv
  /** Matches what the program writes to its standard error when it is ready. */
  readonly ready: RegExp
  /** The signal that ends the program although clients are connected. */
  readonly endedBy: "INT" | "TERM"
}

/**
 * A shell script that ends the program and removes its folder, `$0`, when the process that started it dies in any way.
 * Its pipe to the script is then closed. `$1` is the signal.
 */
const guard = `signal=$1; shift; exec 3<&0; "$@" 3<&- & pid=$!
  { read _ <&3; : >"$0/gone"; kill "-$signal" $pid; } &
  wait $pid; kill $! 2>/dev/null; [ -e "$0/gone" ] && rm -rf "$0"`

/** Starts a program that does not outlive this process, and waits until it is ready. */
export const start = async (options: GuardedOptions): Promise<GuardedProcess> => {
  const { args, endedBy, env = process.env, folder, program, ready } = options
  const child = spawn("sh", ["-c", guard, folder, endedBy, program, ...args], {
    ...user,
    env,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"]
  })
  await new Promise<void>((resolve, reject) => {
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text
      if (ready.test(log)) resolve()
      // Later output is not needed.
      if (log.length > 100_000) log = ""
    })
    child.once("error", reject)
    child.once("exit", () => reject(new Error(`${Path.basename(program)} did not start:\n${log}`)))
  })
  child.unref()
  return {
    ended: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once("exit", () => resolve()).ref()
      }),
    leave: () => child.stdin.destroy()
  }
}
