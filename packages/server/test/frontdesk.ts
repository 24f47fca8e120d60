import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { afterAll, afterEach } from "vitest"

const main = join(import.meta.dirname, "../src/main.ts")

const running = new Set<ChildProcess>()
const folders: Array<string> = []

afterEach(() => {
  for (const child of running) child.kill("SIGKILL")
})

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder that is gone after the tests of the file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-"))
  folders.push(folder)
  return folder
}

type Environment = Readonly<Record<string, string>>

/** The environment of a process: none of the settings of whoever runs the tests. */
const environmentOf = (settings: Environment): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))),
  ...settings
})

/** How a process ended. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<End>
}

const launch = (args: ReadonlyArray<string>, cwd: string, settings: Environment, stdin: string): Running => {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: environmentOf(settings) })
  running.add(child)
  child.stdin.end(stdin)
  const exited = new Promise<Pick<End, "code" | "signal">>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
  })
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(([exit, stdout, stderr]) => {
    running.delete(child)
    return { ...exit, stdout, stderr }
  })
  return { child, ended }
}

/** Runs a command to its end, in a folder. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: { readonly settings?: Environment; readonly stdin?: string } = {}
): Promise<End> => launch(args, cwd, options.settings ?? {}, options.stdin ?? "").ended

/** A server that is listening. */
export interface Server extends Running {
  readonly url: string
  /** Waits until standard error has said this. */
  readonly said: (what: RegExp) => Promise<RegExpExecArray>
  /** Ends it as an operator does. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<End>
}

/** Starts a server on a free port, in a folder whose database it shares with the other commands. */
export const serve = async (
  cwd: string,
  options: { readonly settings?: Environment; readonly args?: ReadonlyArray<string> } = {}
): Promise<Server> => {
  const settings = { FRONTDESK_PORT: "0", FRONTDESK_LOG_FORMAT: "json", ...options.settings }
  const { child, ended } = launch(["serve", ...(options.args ?? [])], cwd, settings, "")
  const said = (what: RegExp) => heard(child, ended, what)
  const [, url = ""] = await said(/is listening at (http:[^"\s]+)/)
  const stop = (signal: NodeJS.Signals = "SIGTERM"): Promise<End> => {
    child.kill(signal)
    return ended
  }
  return { child, ended, url, said, stop }
}

const logs = new WeakMap<ChildProcess, string>()

const heard = (child: ChildProcess, ended: Promise<End>, what: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const match = what.exec(logs.get(child) ?? "")
      if (match !== null) resolve(match)
    }
    if (!logs.has(child)) {
      logs.set(child, "")
      child.stderr?.on("data", (chunk: Buffer) => logs.set(child, `${logs.get(child) ?? ""}${chunk.toString()}`))
    }
    child.stderr?.on("data", look)
    look()
    void ended.then(({ code, stderr }) => reject(new Error(`The server ended with ${code}: ${stderr}`)))
  })

/** Asks until the answer is right; the time limit of the test is the only one. */
export const eventually = async <A>(ask: () => Promise<A>, isRight: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isRight(answer)) return answer
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
