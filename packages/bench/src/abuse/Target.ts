import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import * as ProcessCpu from "../ProcessCpu.ts"
import * as Provision from "../Provision.ts"

const main = fileURLToPath(new URL("../../../server/bin/source.cjs", import.meta.url))

const keysOf = (name: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `fd_test_${name}_${String(index).padStart(32, "0")}`)

/**
 * The API keys of the two accounts. The victim has so many that it never reaches its rate limit. The attacker has as
 * many as an ordinary account.
 */
export const keys = { victim: keysOf("victim", 16), attacker: keysOf("attacker", 5) }

const document = {
  accounts: Object.entries(keys).map(([ref, values]) => ({
    ref,
    name: ref,
    api_keys: values.map((key, index) => ({ ref: `${ref}${index}`, name: ref, permissions: ["*"], key }))
  }))
}

/** One measurement. */
export interface Sample {
  readonly millis: number
  /** How often the victim repeated the request because the server answered 503. */
  readonly repeats: number
}

/** How the server limits the rate of requests. */
export type Limits = "default" | "off"

/** The maximum time of a series of measurements, in milliseconds. */
const maxMillis = 6_000

/** A running server with the accounts of a victim, which has a webhook, and of an attacker. */
export interface Target {
  readonly url: string
  /** Creates calendar events of the victim, one after the other, and measures the time until each is delivered. */
  readonly deliveries: (events: number) => Promise<ReadonlyArray<Sample>>
  /**
   * Sends a GET request of the victim repeatedly, and measures the time of each answer. The default path is that of a
   * calendar event.
   */
  readonly answers: (requests: number, path?: string) => Promise<ReadonlyArray<Sample>>
  /** Returns the CPU time that the server has used so far, in microseconds; 0 where the system has no `/proc`. */
  readonly cpuMicros: () => number
  readonly stop: () => Promise<void>
}

const environment = (databaseUrl: string, limits: Limits) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))),
  FRONTDESK_DATABASE_URL: databaseUrl,
  FRONTDESK_PORT: "0",
  FRONTDESK_LOG_FORMAT: "json",
  ...(limits === "off" && { FRONTDESK_RATE_LIMIT: "off" }),
  FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true"
})

const serve = async (folder: string, env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [main, "serve"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"]
  })
  child.stderr.setEncoding("utf8")
  const url = await new Promise<string>((resolve, reject) => {
    let output = ""
    child.once("close", () => reject(new Error(`The server ended: ${output}`)))
    child.stderr.on("data", (chunk: string) => {
      if (output.length < 10_000) output += chunk
      const [, address] = /is listening at (http:[^",\s]+)/.exec(output) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL")
    await once(child, "close")
  }
  const cpuMicros = (): number =>
    child.pid === undefined || !ProcessCpu.isKnown ? 0 : ProcessCpu.familyMicros(child.pid)
  return { url, cpuMicros, stop }
}

/**
 * Starts a receiver. `arrival` resolves when the webhook event of the calendar event with this title arrives. Its value is
 * the time since the `timestamp` in the payload, in milliseconds.
 */
const receive = async () => {
  const waiting = new Map<string, (delay: number) => void>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now()
    const body = await text(request)
    response.end()
    const [, title = ""] = /"title":"([^"]*)"/.exec(body) ?? []
    const [, happenedAt = ""] = /"timestamp":"([^"]*)"/.exec(body) ?? []
    waiting.get(title)?.(at - Date.parse(happenedAt))
  }
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const arrival = (title: string): Promise<number> => new Promise((resolve) => waiting.set(title, resolve))
  return { url: `http://127.0.0.1:${port}/`, arrival, close: () => server.closeAllConnections() ?? server.close() }
}

let used = 0

/** Returns the header with the next key of the victim. */
const authorization = (): string => `Bearer ${keys.victim[used++ % keys.victim.length]}`

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: authorization(), "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** Sends a request until it is answered with this status instead of 503. Returns how often it was repeated. */
const untilAnswered = async (status: number, send: () => Promise<Response>): Promise<number> => {
  for (let repeats = 0; ; repeats++) {
    const answer = await send()
    const body = await answer.text()
    if (answer.status === status) return repeats
    if (answer.status !== 503) throw new Error(body)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Creates both accounts in an empty database, runs `prepare`, starts a server on the database, and creates the webhook of
 * the victim.
 */
export const start = async (
  folder: string,
  databaseUrl: string,
  limits: Limits,
  prepare: () => void = () => undefined
): Promise<Target> => {
  const env = environment(databaseUrl, limits)
  await Provision.run(folder, env, document)
  prepare()
  const inbox = await receive()
  const server = await serve(folder, env)
  const webhook = { name: "victim", url: inbox.url, subscribed_events: ["calendar.created"] }
  const created = await post(server.url, "/api/v1/api/webhooks/create", webhook)
  if (created.status !== 201) throw new Error(await created.text())

  let made = 0
  const deliver = async (): Promise<Sample> => {
    const title = `victim ${(made += 1)}`
    const arrived = inbox.arrival(title)
    const event = { title, start_time: "2030-01-01T10:00:00Z", end_time: "2030-01-01T10:30:00Z" }
    const repeats = await untilAnswered(201, () => post(server.url, "/api/v1/calendar/events/create", event))
    return { millis: await arrived, repeats }
  }
  const read = async (path: string): Promise<Sample> => {
    const startedAt = performance.now()
    const repeats = await untilAnswered(200, () =>
      fetch(`${server.url}${path}`, { headers: { authorization: authorization() } })
    )
    return { millis: performance.now() - startedAt, repeats }
  }
  const samples = async (count: number, measure: () => Promise<Sample>): Promise<ReadonlyArray<Sample>> => {
    const all: Array<Sample> = []
    const end = performance.now() + maxMillis
    while (all.length < count && performance.now() < end) all.push(await measure())
    return all
  }
  return {
    url: server.url,
    deliveries: (events) => samples(events, deliver),
    answers: (requests, path = "/api/v1/calendar/events/1") => samples(requests, () => read(path)),
    cpuMicros: server.cpuMicros,
    stop: async () => {
      await server.stop()
      inbox.close()
    }
  }
}
