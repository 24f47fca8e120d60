import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { inject } from "vitest"
import { acme } from "../support/acme.ts"
import { command } from "../support/command.ts"
import * as Interception from "../kill/Interception.ts"
import * as ServerProcess from "../kill/ServerProcess.ts"
import * as WorldDatabase from "../kill/WorldDatabase.ts"
import * as Launch from "../support/launch.ts"

/** A server, usually in a separate process. */
export type Node = ServerProcess.ServerProcess

/** One entry of the trace that a node writes. */
export interface TraceEntry {
  readonly at: number
  readonly pid: number
  readonly what: string
  readonly of: string
}

/** Servers on one database. */
export interface Nodes extends AsyncDisposable {
  readonly database: WorldDatabase.WorldDatabase
  /** Starts another node and waits until it listens. */
  readonly start: (options?: NodeOptions) => Promise<Node>
  /**
   * Returns the trace entries of all nodes with this name, in order: `claimed` and `send` have the id of a delivery, `mail`
   * has a kind and the title of an event.
   */
  readonly traced: (what: string) => ReadonlyArray<TraceEntry>
}

/** Options of one node. */
export interface NodeOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** The point at which the node suspends or kills itself. */
  readonly kill?: ServerProcess.StartOptions["kill"]
}

/** Options of all nodes. */
export interface NodesOptions {
  /** Settings of all nodes. */
  readonly settings?: Readonly<Record<string, string>>
  /** The URL of a PostgreSQL server. Default: the server of this test run. */
  readonly server?: string
  /** Whether the nodes run in the process of the tests. That is faster, but they cannot be killed or suspended. */
  readonly isInProcess?: boolean
}

/** The maximum time of {@link until}, in milliseconds. It is much longer than needed, because the machine may be busy. */
export const maxWait = 60_000

const text = (value: unknown): string => JSON.stringify(value)?.slice(0, 1_000) ?? "nothing"

/** Reads a value every 50 ms until the condition is true for it, and returns it. Throws after {@link maxWait}. */
export const until = async <A>(read: () => A | Promise<A>, condition: (value: A) => boolean): Promise<A> => {
  const end = performance.now() + maxWait
  let value = await read()
  while (!condition(value)) {
    if (performance.now() > end) throw new Error(`Waited for ${condition.toString()}; the last value is ${text(value)}`)
    await sleep(50)
    value = await read()
  }
  return value
}

const impossible = (): never => {
  throw new Error("Only a node in a separate process can be killed or suspended")
}

/** Starts a node in this process. Its trace has the number of the node instead of a process id. */
const startInProcess = async (folder: string, number: number, settings: Launch.Settings): Promise<Node> => {
  const around = Interception.around(null, join(folder, "trace"), number)
  const server = await Launch.serve(folder, { settings, around })
  let log = ""
  const ended = server.ended.then(({ code, stderr }) => {
    log = stderr
    return { code, signal: null }
  })
  return {
    ...ServerProcess.requests(() => server.url),
    listening: Promise.resolve(true),
    ended,
    hasEnded: () => log !== "",
    log: () => log,
    pid: number,
    kill: server.interrupt,
    stop: () => void server.stop(),
    freeze: impossible,
    thaw: impossible
  }
}

/** Creates a database with one account and without a node. When it is disposed, all nodes are killed. */
export const open = async ({
  isInProcess = false,
  server = inject("postgresUrl"),
  settings = {}
}: NodesOptions = {}): Promise<Nodes> => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-nodes-"))
  const database = await WorldDatabase.postgres(server)
  const url = { FRONTDESK_DATABASE_URL: database.url }
  const file = join(folder, "acme.json")
  writeFileSync(file, JSON.stringify(acme))
  writeFileSync(join(folder, "trace"), "")
  const { code, stderr } = await command(folder, ["provision", file], url)
  if (code !== 0) throw new Error(stderr)
  const nodes: Array<Node> = []
  return {
    database,
    start: async (options = {}) => {
      const all = {
        ...url,
        FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
        FRONTDESK_RATE_LIMIT: "off",
        ...settings,
        ...options.settings
      }
      const node = isInProcess
        ? await startInProcess(folder, nodes.length + 1, all)
        : ServerProcess.start({
            folder,
            port: 0,
            kill: options.kill ?? null,
            settings: all
          })
      nodes.push(node)
      if (!(await node.listening)) throw new Error(`The server does not start: ${node.log()}`)
      return node
    },
    traced: (what) =>
      readFileSync(join(folder, "trace"), "utf8")
        .split("\n")
        .flatMap((line) => {
          const [at = "", pid = "", did = "", ...of] = line.split(" ")
          if (did !== what) return []
          // A claim has the ids of all claimed deliveries in one line.
          const names = what === "claimed" ? (of[0] ?? "").split(",").filter((id) => id !== "") : [of.join(" ")]
          return names.map((name) => ({ at: Number(at), pid: Number(pid), what, of: name }))
        }),
    [Symbol.asyncDispose]: async () => {
      for (const node of nodes) node.kill()
      await Promise.all(nodes.map((node) => node.ended))
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const Created = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))

/** Returns the answer. Throws if there is no answer, or if it is an error. */
export const expectOk = (answer: ServerProcess.Answer | null): ServerProcess.Answer => {
  if (answer === null || answer.status >= 300) throw new Error(`The answer is ${answer?.status} ${answer?.body}`)
  return answer
}

/** Subscribes a URL to webhook events, and returns the id of the webhook. */
export const subscribe = async (node: Node, url: string, ...events: ReadonlyArray<string>): Promise<number> => {
  const body = { name: url, url, subscribed_events: events }
  return Created(expectOk(await node.ask("POST", "/api/v1/webhooks/create", body)).body).id
}

/** Returns the body of a new calendar event in the year 2040, with additional or other fields. */
export const meeting = (title: string, more: Readonly<Record<string, unknown>> = {}) => ({
  title,
  start_time: "2040-01-02T10:00:00Z",
  end_time: "2040-01-02T10:30:00Z",
  ...more
})

/** Returns the fields of a calendar event whose reminder is due at the given time, in epoch milliseconds. */
export const withReminder = (dueAt: number) => ({
  start_time: new Date(dueAt + 3_600_000).toISOString(),
  end_time: new Date(dueAt + 7_200_000).toISOString(),
  is_reminder_enabled: true,
  remind_before_minutes: 60
})

/** Creates a calendar event through a node. `key` is the idempotency key. */
export const book = (
  node: Node,
  title: string,
  more?: Readonly<Record<string, unknown>>,
  key?: string
): Promise<ServerProcess.Answer | null> => node.ask("POST", "/api/v1/calendar/events/create", meeting(title, more), key)

/** Returns the numbers from 0 to `count - 1`. */
export const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const Tally = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ state: Schema.String, count: Schema.Int })))

/** Returns the number of deliveries by state. */
const deliveries = async ({ database }: Nodes): Promise<Readonly<Record<string, number>>> => {
  const rows = await database.rows("SELECT state, count(*) AS count FROM webhook_delivery GROUP BY state")
  return Object.fromEntries(Tally(rows).map(({ count, state }) => [state, count]))
}

/** Waits until all deliveries are delivered. Throws if their number differs from `count`. */
export const delivered = async (nodes: Nodes, count: number): Promise<void> => {
  const states = await until(
    () => deliveries(nodes),
    (states) => Object.keys(states).join() === "delivered" && (states["delivered"] ?? 0) >= count
  )
  if (states["delivered"] !== count) throw new Error(`There are ${states["delivered"]} deliveries, not ${count}`)
}

/** Returns the number of rows of a statement. */
export const count = async ({ database }: Nodes, statement: string): Promise<number> =>
  (await database.rows(statement)).length
