import { hasProperty } from "effect/Predicate"
import { execFile } from "node:child_process"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import * as Binaries from "./Binaries.ts"
import * as GuardedProcess from "./GuardedProcess.ts"

/** A PostgreSQL server for tests and benchmarks. */
export interface PostgresServer {
  /** The URL of the server, with a superuser. */
  readonly url: string
  readonly port: number
  /** Kills the server as a crash would: it disconnects all clients and writes nothing more to the disk. */
  readonly crash: () => Promise<void>
  /** Stops all its processes with SIGSTOP, so that it neither answers nor rejects. */
  readonly freeze: () => Promise<void>
  /** Continues all its processes. */
  readonly thaw: () => Promise<void>
  /** Starts the server again with its data, on its port. */
  readonly start: () => Promise<void>
  /**
   * Starts a standby with a copy of the data, which replicates all changes. It is read-only until `SELECT
   * pg_promote()`. This server is restarted for the copy.
   */
  readonly makeStandby: () => Promise<PostgresServer>
  /** Stops the server and removes its files. */
  readonly remove: () => Promise<void>
}

/** How a server is configured. */
export interface PostgresServerOptions {
  /** Whether a commit waits for the disk, as in production. Default: false. */
  readonly durable?: boolean
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A folder with the programs, and the folder of the data. */
interface Place extends Binaries.Binaries {
  readonly folder: string
  readonly data: string
}

const makePlace = async (): Promise<Place> => {
  const folder = await GuardedProcess.makeFolder("postgres")
  const binaries = await Binaries.prepare(folder, GuardedProcess.isForOthers)
  return { ...binaries, folder, data: Path.join(folder, "data") }
}

/** Creates a server with its data in a temporary folder, and starts it. */
export const make = async ({ durable = false, settings }: PostgresServerOptions = {}): Promise<PostgresServer> => {
  const place = await makePlace()
  const initArguments = ["-D", place.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  await GuardedProcess.run(place.folder, place.initdb, initArguments, place.env)
  return serve(place, {
    ...(durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
    ...settings
  })
}

const run = promisify(execFile)

/** Sends a signal to a process. One that has ended meanwhile must not keep the others from receiving theirs. */
const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (cause) {
    if (!hasProperty(cause, "code") || cause.code !== "ESRCH") throw cause
  }
}

/** Starts a server with the data of a place. */
const serve = async (place: Place, settings: Readonly<Record<string, string | number>>): Promise<PostgresServer> => {
  const port = await freePort()
  const all = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 300,
    shared_buffers: "128MB",
    // Parallel workers are useless for tables of this size, and tests of plans need the same plan each time.
    max_parallel_workers_per_gather: 0,
    ...settings
  }
  const begin = () =>
    GuardedProcess.start({
      folder: place.folder,
      program: place.postgres,
      args: ["-D", place.data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      env: place.env,
      ready: /ready to accept (read-only )?connections/,
      endedBy: "INT"
    })
  let running = await begin()
  const start = async () => {
    running = await begin()
  }
  const mainProcess = async () =>
    Number.parseInt(await Fs.readFile(Path.join(place.data, "postmaster.pid"), "utf8"), 10)
  const end = async (signal: NodeJS.Signals) => {
    process.kill(await mainProcess(), signal)
    await running.ended()
  }
  /** Sends a signal to each process of the server. */
  const signalAll = async (name: NodeJS.Signals) => {
    const main = await mainProcess()
    const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="])
    for (const line of stdout.trim().split("\n")) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid !== undefined && (pid === main || parent === main)) sendSignal(pid, name)
    }
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    crash: () => end("SIGQUIT"),
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    start,
    makeStandby: async () => {
      const standby = await makePlace()
      await end("SIGINT")
      await GuardedProcess.run(standby.folder, "cp", ["-a", place.data, standby.data])
      await GuardedProcess.run(standby.folder, "touch", [Path.join(standby.data, "standby.signal")])
      await start()
      const { synchronous_standby_names: _, ...others } = settings
      return serve(standby, { ...others, primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` })
    },
    remove: async () => {
      running.leave()
      await running.ended()
      await Fs.rm(place.folder, { recursive: true, force: true })
    }
  }
}
