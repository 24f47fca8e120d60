import { Buffer } from "node:buffer"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../FreePort.ts"

/** The URLs of a CalDAV server and one calendar, with the credentials. */
export interface Server {
  /** The URL of the server's root. */
  readonly url: string
  readonly username: string
  readonly password: string
  /** The URL of the calendar. It ends in "/". */
  readonly calendar: string
}

/** A running server with one calendar, which is empty at first. */
export interface CaldavServer extends Server, AsyncDisposable {
  /** Kills the server and keeps its data. */
  readonly down: () => Promise<void>
  /** Starts the server again, on the same port and with its data. */
  readonly up: () => Promise<void>
}

/** A CalDAV server that Debian packages. */
export interface Kind {
  readonly command: string
  /** The path of its calendar. */
  readonly calendar: string
  /** Writes its configuration and returns its arguments. */
  readonly prepare: (directory: string, port: number) => Promise<ReadonlyArray<string>>
}

const username = "front desk"
const password = "pässword"

/** Radicale, which checks the password. */
export const radicale: Kind = {
  command: "radicale",
  calendar: `/${encodeURIComponent(username)}/work/`,
  prepare: async (directory, port) => {
    await writeFile(join(directory, "users"), `${username}:${password}\n`)
    await writeFile(
      join(directory, "config"),
      `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${join(directory, "users")}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${join(directory, "collections")}
[logging]
level = error
`
    )
    return ["--config", join(directory, "config")]
  }
}

/** Xandikos, which accepts every request without a password. */
export const xandikos: Kind = {
  command: "xandikos",
  calendar: "/user/calendars/work/",
  prepare: async (directory, port) => ["-d", directory, "-l", "127.0.0.1", "-p", String(port), "--defaults"]
}

/** Returns whether a server is installed. Tests of a server that is not installed are skipped and report it. */
export const isInstalled = ({ command }: Kind): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** The header that names the account. */
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`

/** Makes a request with the credentials of the account, as another calendar program would. */
export const request = (
  method: string,
  url: string,
  init: { readonly headers?: Record<string, string>; readonly body?: string } = {}
): Promise<Response> => fetch(url, { ...init, method, headers: { authorization, ...init.headers } })

/** Starts a server on a free port. Disposing of it deletes its data. */
export const open = async (kind: Kind): Promise<CaldavServer> => {
  const directory = await mkdtemp(join(tmpdir(), `${kind.command}-`))
  const port = await freePort()
  const args = await kind.prepare(directory, port)
  const url = `http://127.0.0.1:${port}/`
  const calendar = new URL(kind.calendar, url).href
  let down = async () => {}
  /**
   * Starts the server, and repeats a request until the answer has the expected status. Another program that listens on the
   * port answers with another status.
   */
  const start = async (method: string, expected: number) => {
    const child = spawn(kind.command, args, { stdio: "ignore" })
    const exit = once(child, "exit")
    down = async () => {
      child.kill("SIGKILL")
      await exit
    }
    for (let tries = 1; ; tries++) {
      const status = await statusOf(method, calendar)
      if (status === expected) return
      if (child.exitCode === null && tries < 400) await setTimeout(50)
      else throw new Error(`${kind.command} does not listen on port ${port}, which answered ${method} with ${status}`)
    }
  }
  await start("MKCALENDAR", 201)
  return {
    url,
    username,
    password,
    calendar,
    down: () => down(),
    up: () => start("PROPFIND", 207),
    [Symbol.asyncDispose]: async () => {
      await down()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** Returns the status of the answer to a request, or 0 when no program listens on the port. */
const statusOf = async (method: string, url: string): Promise<number> => {
  try {
    return (await request(method, url, { headers: { depth: "0" } })).status
  } catch {
    return 0
  }
}
