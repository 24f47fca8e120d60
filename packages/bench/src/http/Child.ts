import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Question, Told } from "./Control.ts"
import type { Done, Round } from "./load.ts"
import type { CpuProfile } from "./Profile.ts"

/** Starts a module of this package as a process of its own. */
export const start = (module: string, args: ReadonlyArray<string>, execArgv: ReadonlyArray<string>): ChildProcess =>
  fork(fileURLToPath(new URL(module, import.meta.url)), [...args], {
    execArgv: [...execArgv],
    // From here `effect` is found by what `--import` names.
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })

/** Resolves with the next message; rejects when the process ends instead. */
export const answer = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnfile} ended with ${code}`))
    child.once("exit", ended)
    child.once("message", (message) => {
      child.off("exit", ended)
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
         -- Both ends are modules of this folder. */
      resolve(message as A)
    })
  })

/** Ends a process that ends when it loses this one, and waits until it has. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = once(child, "exit")
  child.disconnect()
  await ended
}

/** A server in a process of its own. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly filename: string
  /** The CPU time it has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  /** A profile of what it does until the work is over. */
  readonly profile: (work: () => Promise<void>) => Promise<CpuProfile>
  readonly stop: () => Promise<void>
}

/** How a server is started. */
export interface ServerOptions {
  readonly name: string
  /** The module, beside this one. */
  readonly module: string
  readonly filename: string
  /** Arguments for Node itself. */
  readonly execArgv?: ReadonlyArray<string>
}

/** Starts a server and waits until it listens. */
export const startServer = async ({ execArgv, filename, module, name }: ServerOptions): Promise<Server> => {
  const child = start(module, [filename], execArgv ?? [])
  const ask = (question: Question): Promise<Told> => {
    child.send(question)
    return answer<Told>(child)
  }
  const told = await answer<Told>(child)
  if (told._tag !== "Listening") throw new Error(`${name} does not listen.`)
  return {
    name,
    port: told.port,
    filename,
    cpuMicros: async () => {
      const told = await ask("cpu")
      return told._tag === "Cpu" ? told.micros : Number.NaN
    },
    profile: async (work) => {
      await ask("startProfile")
      await work()
      const told = await ask("stopProfile")
      if (told._tag !== "Profiled") throw new Error(`${name} has no profile.`)
      return told.profile
    },
    stop: () => stop(child)
  }
}

/** The generator of load, in a process of its own. */
export interface Load {
  readonly run: (round: Round) => Promise<Done>
  readonly stop: () => Promise<void>
}

/** Starts the generator of load. */
export const startLoad = (): Load => {
  const child = start("./load.ts", [], [])
  return {
    run: async (round) => {
      child.send(round)
      const done = await answer<Done>(child)
      if (done.wrong !== null) throw new Error(`Not what was expected:\n${done.wrong}`)
      return done
    },
    stop: () => stop(child)
  }
}
