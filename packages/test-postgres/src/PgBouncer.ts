import { existsSync } from "node:fs"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import process from "node:process"
import * as GuardedProcess from "./GuardedProcess.ts"

/** A PgBouncer in transaction mode in front of a PostgreSQL server. */
export interface PgBouncer {
  /** Returns the URL of a database through the pooler. */
  readonly through: (url: string) => string
  /** Kills the pooler, which disconnects clients and servers. */
  readonly crash: () => Promise<void>
  /** Starts the pooler again on its port. */
  readonly start: () => Promise<void>
  /** Stops the pooler and removes its files. */
  readonly remove: () => Promise<void>
}

const usualPlaces = [
  "/usr/sbin/pgbouncer",
  "/usr/bin/pgbouncer",
  "/usr/local/bin/pgbouncer",
  "/opt/homebrew/bin/pgbouncer"
]

const named = process.env["FRONTDESK_TEST_PGBOUNCER"]

/**
 * The path of the program on this machine, or undefined. `FRONTDESK_TEST_PGBOUNCER` names another path. If that is
 * wrong, tests fail instead of being skipped.
 */
export const path: string | undefined =
  named === undefined || named === "" ? usualPlaces.find((place) => existsSync(place)) : named

/** The ending of the titles of tests that need PgBouncer: why they are skipped, or empty. */
export const skipped: string =
  path === undefined ? " (skipped: no PgBouncer is found; FRONTDESK_TEST_PGBOUNCER names one)" : ""

/** The password of the pooler where the server has none. */
const password = "secret"

/** The maximum number of connections to a database. */
export const poolSize = 4

/** Starts a pooler in front of a server, with few connections for many clients. */
export const make = async (server: string): Promise<PgBouncer> => {
  const url = new URL(server)
  url.password ||= password
  const [name, secret] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const folder = await GuardedProcess.makeFolder("pgbouncer")
  const port = await freePort()
  const file = (extension: string) => Path.join(folder, `pgbouncer.${extension}`)
  await Fs.writeFile(file("users"), `"${name.replaceAll('"', '""')}" "${secret.replaceAll('"', '""')}"\n`)
  await Fs.writeFile(
    file("ini"),
    `[databases]
* = host=${url.hostname} port=${url.port || 5432}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${file("users")}
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${poolSize}
pidfile = ${file("pid")}
`
  )
  const begin = () =>
    GuardedProcess.start({
      folder,
      program: path ?? "pgbouncer",
      args: [file("ini")],
      ready: /process up/,
      endedBy: "TERM"
    })
  let running = await begin()
  return {
    through: (database) => {
      const changed = new URL(database)
      changed.host = `127.0.0.1:${port}`
      changed.password = url.password
      return changed.href
    },
    crash: async () => {
      process.kill(Number(await Fs.readFile(file("pid"), "utf8")), "SIGKILL")
      await running.ended()
    },
    start: async () => {
      running = await begin()
    },
    remove: async () => {
      running.leave()
      await running.ended()
      await Fs.rm(folder, { recursive: true, force: true })
    }
  }
}
