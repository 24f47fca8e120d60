import { execFile, spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import process from "node:process"
import { promisify } from "node:util"

/** Servers of databases refuse to run as root; this user exists on every system. */
const nobody = 65_534

/** Whether programs are run as another user than this process. */
export const isForOthers = process.getuid?.() === 0

const user = isForOthers ? { uid: nobody, gid: nobody } : {}

/** A new folder of the user that programs run as. */
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

/** A program that goes on until it is ended. */
export interface GuardedProcess {
  /** Waits until it has ended. */
  readonly ended: () => Promise<void>
  /** Ends it, as if whoever started it were gone. */
  readonly leave: () => void
}

/** What is started, and how. */
export interface GuardedOptions {
  /** It is run in here, and this is removed with it when whoever started it is gone. */
  readonly folder: string
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env?: NodeJS.ProcessEnv
  /** What it writes to its standard error once it can be used. */
  readonly ready: RegExp
  /** What ends it, whoever is connected. */
  readonly endedBy: "INT" | "TERM"
}

/**
 * Ends the program and removes its folder, `$0`, when whoever started it is gone, whatever became of them: then the pipe
 * to it is closed. `$1` is the signal.
 */
const guard = `signal=$1; shift; exec 3<&0; "$@" 3<&- & pid=$!
  { read _ <&3; : >"$0/gone"; kill "-$signal" $pid; } &
  wait $pid; kill $! 2>/dev/null; [ -e "$0/gone" ] && rm -rf "$0"`

/** Starts a program that does not outlive this process, and waits until it can be used. */
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
      // What comes later is of no use, and is not kept.
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

/** A port of this machine that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = Net.createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))
      )
    })
  })
