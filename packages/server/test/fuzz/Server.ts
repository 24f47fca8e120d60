import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { document } from "./Installation.ts"

const main = join(import.meta.dirname, "../../src/main.ts")

/** A running server. */
export interface FuzzServer {
  readonly url: string
  /** The lines of its log that are errors, and how it ended if it did not end well. */
  readonly stop: () => Promise<ReadonlyArray<string>>
}

const environment = (folder: string, databaseUrl: string): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))),
  FRONTDESK_DATABASE_URL: databaseUrl,
  FRONTDESK_PORT: "0",
  FRONTDESK_LOG_FORMAT: "json",
  FRONTDESK_LOG_LEVEL: "info",
  FRONTDESK_RATE_LIMIT: "off",
  FRONTDESK_SIMULATED_CALL_PACE: "0",
  FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
  PWD: folder
})

/** Provisions a new database and starts a server on it. */
export const start = async (folder: string, databaseUrl: string): Promise<FuzzServer> => {
  const options = { cwd: folder, env: environment(folder, databaseUrl) }
  const provision = spawn(process.execPath, [main, "provision", "-"], { ...options, stdio: ["pipe", "ignore", "pipe"] })
  provision.stdin.end(JSON.stringify(document))
  const [complaint, provisioned] = await Promise.all([
    text(provision.stderr),
    new Promise<number | null>((resolve) => provision.once("close", resolve))
  ])
  if (provisioned !== 0) throw new Error(`Provisioning ended with ${provisioned}: ${complaint}`)

  const child = spawn(process.execPath, [main, "serve"], { ...options, stdio: ["ignore", "ignore", "pipe"] })
  const errors: Array<string> = []
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let rest = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const [, found] = /is listening at (http:[^"\s]+)/.exec(line) ?? []
        if (found !== undefined) resolve(found)
        if (/"level":"(ERROR|FATAL)"/i.test(line)) errors.push(line.slice(0, 2_000))
      }
    })
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${rest}`)))
  })
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM")
      const code = await ended
      return code === 0 ? errors : [...errors, `The server ended with ${code}`]
    }
  }
}
