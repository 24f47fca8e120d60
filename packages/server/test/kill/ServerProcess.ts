import { execFileSync, spawn } from "node:child_process"
import { request } from "node:http"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { acmeKey } from "../support/acme.ts"
import * as Programs from "../support/programs.ts"
import type { Kill } from "./Interception.ts"

/** The timeout for an answer, in milliseconds. It is longer than a server waits for its database. */
const timeout = 20_000

/** An answer of the server. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly isReplayed: boolean
}

/** A server in a separate process. */
export interface ServerProcess {
  /** Resolves with true once the server listens, or with false if it ends before that. */
  readonly listening: Promise<boolean>
  /** Resolves with the exit code and the signal when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly hasEnded: () => boolean
  /** Returns the log so far. */
  readonly log: () => string
  readonly pid: number
  readonly kill: () => void
  /** Sends SIGTERM. */
  readonly stop: () => void
  /** Suspends the process with SIGSTOP. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Returns whether a request remained without an answer. */
  readonly hasUnanswered: () => boolean
  /**
   * Sends a request with an API key. Resolves with null if there is no answer.
   *
   * @param key the idempotency key. Default: none
   * @param apiKey default: {@link acmeKey}
   */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    key?: string | null,
    apiKey?: string
  ) => Promise<Answer | null>
}

/** Returns the functions that send requests, each on a new connection. */
export const requests = (url: () => string): Pick<ServerProcess, "ask" | "hasUnanswered"> => {
  let unanswered = 0
  const ask: ServerProcess["ask"] = (method, path, body, key = null, apiKey = acmeKey) =>
    new Promise<Answer | null>((resolve) => {
      const asked = request(`${url()}${path}`, {
        method,
        // The server may close an idle connection at the moment at which a client reuses it.
        agent: false,
        timeout,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== null && { "idempotency-key": key })
        }
      })
      asked.once("response", (response) => {
        text(response).then(
          (body) =>
            resolve({
              status: response.statusCode ?? 0,
              body,
              isReplayed: response.headers["idempotent-replayed"] === "true"
            }),
          () => resolve(null)
        )
      })
      asked.once("timeout", () => asked.destroy())
      asked.once("error", () => resolve(null))
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    }).then((answer) => {
      if (answer === null) unanswered += 1
      return answer
    })
  return { ask, hasUnanswered: () => unanswered > 0 }
}

/** Options of a new server process. */
export interface StartOptions {
  readonly folder: string
  readonly port: number
  readonly kill: Kill | null
  readonly settings: Readonly<Record<string, string>>
}

/** Bundles the program if a source has changed. Without it the first kill could hit the bundler instead of the server. */
export const prepare = (): void => void execFileSync(process.execPath, [...Programs.killable, "--version"])

/** Starts `frontdesk serve` in a folder, with a kill point if one is given. */
export const start = ({ folder, kill, port, settings }: StartOptions): ServerProcess => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))
  const child = spawn(process.execPath, [...Programs.killable, "serve"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...Object.fromEntries(inherited),
      FRONTDESK_PORT: String(port),
      FRONTDESK_LOG_FORMAT: "json",
      ...settings,
      KILL_AT: JSON.stringify(kill),
      KILL_TRACE: join(folder, "trace")
    }
  })
  let log = ""
  let isOver = false
  let url = ""
  const listening = new Promise<boolean>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
      const found = /"logEvent":"server\.listening","url":"(http:[^"]+)"/.exec(log)
      if (found === null || url !== "") return
      url = found[1] ?? ""
      resolve(true)
    })
    child.once("close", () => resolve(false))
  })
  const ended = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", () => {
      isOver = true
    })
    child.once("close", (code, signal) => resolve({ code, signal }))
  })
  const { ask, hasUnanswered } = requests(() => url)

  return {
    listening,
    ended,
    hasEnded: () => isOver,
    log: () => log,
    kill: () => void child.kill("SIGKILL"),
    pid: child.pid ?? 0,
    stop: () => void child.kill("SIGTERM"),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    hasUnanswered,
    ask
  }
}
