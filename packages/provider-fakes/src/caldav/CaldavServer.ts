import { Buffer } from "node:buffer"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"

/** Where a CalDAV server is, and the calendar and the account on it. */
export interface Server {
  /** The server's root. */
  readonly url: string
  readonly username: string
  readonly password: string
  /** The calendar, which ends in "/". */
  readonly calendar: string
}

/** A running server with one calendar, empty at first. */
export interface CaldavServer extends Server, AsyncDisposable {
  /** Kills it, and keeps what it holds. */
  readonly down: () => Promise<void>
  /** Starts it again, on the same port and with what it held. */
  readonly up: () => Promise<void>
}

/** A server that Debian packages, and how it is started. */
export interface Kind {
  readonly command: string
  /** Where its calendar lies. */
  readonly calendar: string
  /** Its arguments. */
  readonly prepare: (directory: string, port: number) => Promise<ReadonlyArray<string>>
}

const username = "front desk"
const password = "pässword"

/** Checks the password. */
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

/** Lets everybody in. */
export const xandikos: Kind = {
  command: "xandikos",
  calendar: "/user/calendars/work/",
  prepare: async (directory, port) => ["-d", directory, "-l", "127.0.0.1", "-p", String(port), "--defaults"]
}

/** Whether a server is installed; tests of one that is not are skipped and say so. */
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

/** A request in the name of the account, as any other program makes it. */
export const request = (
  method: string,
  url: string,
  init: { readonly headers?: Record<string, string>; readonly body?: string } = {}
): Promise<Response> => fetch(url, { ...init, method, headers: { authorization, ...init.headers } })

/** Starts a server on a free port. Its folder is gone once it is disposed of. */
export const open = async (kind: Kind): Promise<CaldavServer> => {
  const directory = await mkdtemp(join(tmpdir(), `${kind.command}-`))
  const port = await freePort()
  const args = await kind.prepare(directory, port)
  const url = `http://127.0.0.1:${port}/`
  const calendar = new URL(kind.calendar, url).href
  let down = async () => {}
  const up = async () => {
    const child = spawn(kind.command, args, { stdio: "ignore" })
    const exit = once(child, "exit")
    down = async () => {
      child.kill("SIGKILL")
      await exit
    }
    await answering(url)
  }
  await up()
  const made = await request("MKCALENDAR", calendar)
  if (made.status !== 201) throw new Error(`no calendar was made: ${made.status}`)
  return {
    url,
    username,
    password,
    calendar,
    down: () => down(),
    up,
    [Symbol.asyncDispose]: async () => {
      await down()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

const answering = async (url: string): Promise<void> => {
  for (let tries = 0; ; tries++) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (tries === 200) throw error
      await setTimeout(50)
    }
  }
}
