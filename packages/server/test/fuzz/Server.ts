import { spawn } from "node:child_process"
import process from "node:process"
import * as Launch from "../support/launch.ts"
import * as Programs from "../support/programs.ts"
import * as Client from "./Client.ts"
import { document } from "./Installation.ts"
import type { Target } from "./Run.ts"

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

/**
 * Provisions a new database and starts a server on it. The server is a separate process, because generating and checking
 * requests occupies the thread for so long that a server on the same thread would report a lost database. An exit code
 * other than 0 counts as a logged error.
 */
export const start = async (folder: string, databaseUrl: string): Promise<Target> => {
  await Launch.provision(folder, document, { FRONTDESK_DATABASE_URL: databaseUrl })
  const child = spawn(process.execPath, [...Programs.commandLine, "serve"], {
    cwd: folder,
    env: environment(folder, databaseUrl),
    stdio: ["ignore", "ignore", "pipe"]
  })
  const errors: Array<string> = []
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let rest = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const [, found] = /"logEvent":"server\.listening","url":"(http:[^"]+)"/.exec(line) ?? []
        if (found !== undefined) resolve(found)
        if (/"level":"(ERROR|FATAL)"/i.test(line)) errors.push(line.slice(0, 2_000))
      }
    })
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${rest}`)))
  })
  return {
    client: Client.make(url),
    stop: async () => {
      child.kill("SIGTERM")
      const code = await ended
      return code === 0 ? errors : [...errors, `The server ended with ${code}`]
    }
  }
}
