import { type ChildProcess, execFile, spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import * as Binaries from "./Binaries.ts"

/** A PostgreSQL server of one's own. */
export interface PostgresServer {
  /** Its address, with a user who may do everything. */
  readonly url: string
  readonly port: number
  /** Ends it as a crash would: whoever is connected is cut off, and nothing is written that was not yet. */
  readonly crash: () => Promise<void>
  /** Stops all its processes where they are, so that it neither answers nor refuses. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  /** Starts it again with its data and on its port. */
  readonly start: () => Promise<void>
  /** Ends it and removes all that is of it. */
  readonly remove: () => Promise<void>
}

/** How a server is set up. */
export interface PostgresServerOptions {
  /** Whether a commit waits for the disk, as it does where data matter; no unless said. */
  readonly durable?: boolean
  /** Settings, as `postgresql.conf` has them. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** PostgreSQL refuses to run as root; this user exists on every system. */
const nobody = 65_534

/**
 * Ends the server and removes its folder, `$0`, when whoever started it is gone, whatever became of them: then the pipe
 * to it is closed.
 */
const guard = `exec 3<&0; "$@" 3<&- & pid=$!
  { read _ <&3; : >"$0/gone"; kill -INT $pid; } &
  wait $pid; kill $! 2>/dev/null; [ -e "$0/gone" ] && rm -rf "$0"`

const run = promisify(execFile)

/** Sets up a server with its data in a folder of its own, and starts it. */
export const make = async (options: PostgresServerOptions = {}): Promise<PostgresServer> => {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  const folder = await Fs.mkdtemp(Path.join(Os.tmpdir(), "frontdesk-postgres-"))
  const data = Path.join(folder, "data")
  const { env, initdb, postgres } = await Binaries.prepare(folder, isRoot)
  if (isRoot) await Fs.chown(folder, nobody, nobody)
  const initArguments = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  await run(initdb, initArguments, { ...user, env, cwd: folder })

  const port = await freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 300,
    shared_buffers: "128MB",
    // Parallel workers win nothing on tables of this size, and a test of plans wants the same one each time.
    max_parallel_workers_per_gather: 0,
    ...(options.durable === true ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
    ...options.settings
  }
  const serverArguments = [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ]
  let child: ChildProcess | undefined

  const start = async () => {
    const started = spawn("sh", ["-c", guard, folder, postgres, ...serverArguments], {
      ...user,
      env,
      cwd: folder,
      detached: true,
      stdio: ["pipe", "ignore", "pipe"]
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      let log = ""
      started.stderr?.setEncoding("utf8").on("data", (text: string) => {
        log += text
        if (log.includes("ready to accept connections")) resolve()
        // What comes later is of no use, and is not kept.
        if (log.length > 100_000) log = ""
      })
      started.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
    })
    started.unref()
  }
  const mainProcess = async () => Number.parseInt(await Fs.readFile(Path.join(data, "postmaster.pid"), "utf8"), 10)
  /** Sends a signal to each process of the server. */
  const signalAll = async (name: NodeJS.Signals) => {
    const main = await mainProcess()
    const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="])
    for (const line of stdout.trim().split("\n")) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid !== undefined && (pid === main || parent === main)) process.kill(pid, name)
    }
  }
  const ended = () =>
    new Promise<void>((resolve) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once("exit", () => resolve()).ref()
    })

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    crash: async () => {
      process.kill(await mainProcess(), "SIGQUIT")
      await ended()
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    start,
    remove: async () => {
      child?.stdin?.destroy()
      await ended()
      await Fs.rm(folder, { recursive: true, force: true })
    }
  }
}

/** A port of this machine that nobody listens on. */
const freePort = (): Promise<number> =>
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
