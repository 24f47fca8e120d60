import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Rounds from "../Rounds.ts"
import type { Request, Message } from "./Control.ts"
import type { Done, Round } from "./load.ts"
import type { CpuProfile } from "./Profile.ts"

/** Starts a module of this package as a process. */
export const start = (module: string, args: ReadonlyArray<string>, execArgv: ReadonlyArray<string>): ChildProcess =>
  fork(fileURLToPath(new URL(module, import.meta.url)), [...args], {
    execArgv: [...execArgv],
    // In this folder the module of `--import` is found.
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })

/** Resolves with the next message of a process. Rejects when the process ends before. */
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

/** Disconnects a process, which ends it, and waits for its end. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = once(child, "exit")
  child.disconnect()
  await ended
}

/** A server in its own process. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly databaseUrl: string
  /** Returns the CPU time that the process has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  /** Returns the serialized statements of a server that records them, since the last call. */
  readonly statements: () => Promise<string>
  /** Returns a CPU profile of the process during `work`. */
  readonly profile: (work: () => Promise<void>) => Promise<CpuProfile>
  readonly stop: () => Promise<void>
}

/** The options of {@link startServer}. */
export interface ServerOptions {
  readonly name: string
  /** The module of the server, relative to this one. */
  readonly module: string
  readonly databaseUrl: string
  /** Further arguments of the module. */
  readonly args?: ReadonlyArray<string>
  /** Arguments of Node. */
  readonly execArgv?: ReadonlyArray<string>
}

/** Starts a server and waits until it listens. */
export const startServer = async ({
  args = [],
  databaseUrl,
  execArgv,
  module,
  name
}: ServerOptions): Promise<Server> => {
  const child = start(module, [databaseUrl, ...args], execArgv ?? [])
  const ask = (request: Request): Promise<Message> => {
    child.send(request)
    return answer<Message>(child)
  }
  const message = await answer<Message>(child)
  if (message._tag !== "Listening") throw new Error(`${name} does not listen.`)
  return {
    name,
    port: message.port,
    databaseUrl,
    cpuMicros: async () => {
      const message = await ask("cpu")
      return message._tag === "Cpu" ? message.micros : Number.NaN
    },
    statements: async () => {
      const message = await ask("statements")
      return message._tag === "Statements" ? message.bytes : ""
    },
    profile: async (work) => {
      await ask("startProfile")
      await work()
      const message = await ask("stopProfile")
      if (message._tag !== "Profiled") throw new Error(`${name} has no profile.`)
      return message.profile
    },
    stop: () => stop(child)
  }
}

/** The load generator in its own process. */
export interface Load {
  /** Sends requests to a server and measures its rate, its CPU time and its latencies. */
  readonly measure: (
    server: Server,
    round: Omit<Round, "port">,
    others?: Readonly<Record<string, Rounds.CpuClock>>
  ) => Promise<Rounds.Costed & { readonly answers: number }>
  readonly stop: () => Promise<void>
}

/** Starts the load generator. */
export const startLoad = (): Load => {
  const child = start("./load.ts", [], [])
  const run = async (round: Round): Promise<Done> => {
    child.send(round)
    const done = await answer<Done>(child)
    if (done.wrong !== null) throw new Error(`The server sent an unexpected answer:\n${done.wrong}`)
    return done
  }
  return {
    measure: async ({ cpuMicros, port }, round, others = {}) => {
      const rate = { perSecond: Number.NaN, latencies: Array<number>(), answers: 0 }
      const cost = await Rounds.counted(
        async () => {
          const { answers, latencies, seconds } = await run({ ...round, port })
          Object.assign(rate, { perSecond: answers / seconds, latencies, answers })
          return answers
        },
        { cpu: cpuMicros, others }
      )
      return { ...cost, ...rate }
    },
    stop: () => stop(child)
  }
}
