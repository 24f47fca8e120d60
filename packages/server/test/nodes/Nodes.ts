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
import * as Bundle from "../support/bundle.ts"

/** A server in a process of its own. */
export type Node = ServerProcess.ServerProcess

/** What a node did by its trace. */
export interface Deed {
  readonly at: number
  readonly pid: number
  readonly what: string
  readonly of: string
}

/** Servers on one database. */
export interface Nodes extends AsyncDisposable {
  readonly database: WorldDatabase.WorldDatabase
  /** Starts one more, and waits until it listens. */
  readonly start: (options?: NodeOptions) => Promise<Node>
  /** What all have done, in order: `claimed` and `send` of a delivery id, `mail` of a kind and an event. */
  readonly deeds: (what: string) => ReadonlyArray<Deed>
}

/** How one node differs from the others. */
export interface NodeOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Where it stops or kills itself. */
  readonly kill?: ServerProcess.StartOptions["kill"]
}

/** How nodes are set up. */
export interface NodesOptions {
  /** Settings of all. */
  readonly settings?: Readonly<Record<string, string>>
  /** The server of PostgreSQL; the one of this test run unless said. */
  readonly server?: string
  /** Whether the nodes live in the process of the tests, which is quicker; then they cannot be killed or frozen. */
  readonly isInProcess?: boolean
}

/** How long whatever is waited for may take: much longer than it does, so that a busy machine fails no test. */
export const patience = 60_000

const text = (value: unknown): string => JSON.stringify(value)?.slice(0, 1_000) ?? "nothing"

/** Looks until what it sees is so, and answers it. */
export const until = async <A>(look: () => A | Promise<A>, isSo: (seen: A) => boolean): Promise<A> => {
  const end = performance.now() + patience
  let seen = await look()
  while (!isSo(seen)) {
    if (performance.now() > end) throw new Error(`Waited for ${isSo.toString()} and last saw ${text(seen)}`)
    await sleep(50)
    seen = await look()
  }
  return seen
}

const impossible = (): never => {
  throw new Error("Only a node in a process of its own can be killed or frozen")
}

/** Starts a node in this process. Its trace shows its number in place of a process id. */
const startHere = async (folder: string, number: number, settings: Launch.Settings): Promise<Node> => {
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
    kill: server.abandon,
    stop: () => void server.stop(),
    freeze: impossible,
    thaw: impossible
  }
}

/** A new database with one account on it, and no node yet. All are killed at the end. */
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
        ? await startHere(folder, nodes.length + 1, all)
        : ServerProcess.start({
            program: await Bundle.path("child"),
            folder,
            port: 0,
            kill: options.kill ?? null,
            settings: all
          })
      nodes.push(node)
      if (!(await node.listening)) throw new Error(`The server does not start: ${node.log()}`)
      return node
    },
    deeds: (what) =>
      readFileSync(join(folder, "trace"), "utf8")
        .split("\n")
        .flatMap((line) => {
          const [at = "", pid = "", did = "", ...of] = line.split(" ")
          if (did !== what) return []
          // A claim names all that it took in one line.
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

const Made = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))

/** The answer if it was one and good. */
export const good = (answer: ServerProcess.Answer | null): ServerProcess.Answer => {
  if (answer === null || answer.status >= 300) throw new Error(`It was answered ${answer?.status} ${answer?.body}`)
  return answer
}

/** Subscribes a URL to events; answers the id of the webhook. */
export const subscribe = async (node: Node, url: string, ...events: ReadonlyArray<string>): Promise<number> => {
  const body = { name: url, url, subscribed_events: events }
  return Made(good(await node.ask("POST", "/api/v1/webhooks/create", body)).body).id
}

/** The body of a calendar event that is far from now, at times of its own where overlaps matter. */
export const meeting = (title: string, more: Readonly<Record<string, unknown>> = {}) => ({
  title,
  start_time: "2040-01-02T10:00:00Z",
  end_time: "2040-01-02T10:30:00Z",
  ...more
})

/** What an event has besides, so that its reminder is due at a time, in epoch milliseconds. */
export const reminded = (dueAt: number) => ({
  start_time: new Date(dueAt + 3_600_000).toISOString(),
  end_time: new Date(dueAt + 7_200_000).toISOString(),
  is_reminder_enabled: true,
  remind_before_minutes: 60
})

/** Creates a calendar event. */
export const book = (
  node: Node,
  title: string,
  more?: Readonly<Record<string, unknown>>,
  key?: string
): Promise<ServerProcess.Answer | null> => node.ask("POST", "/api/v1/calendar/events/create", meeting(title, more), key)

/** The numbers from 0 up to one. */
export const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const Tally = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ state: Schema.String, count: Schema.Int })))

/** How many deliveries there are, by state. */
const deliveries = async ({ database }: Nodes): Promise<Readonly<Record<string, number>>> => {
  const rows = await database.rows("SELECT state, count(*) AS count FROM webhook_delivery GROUP BY state")
  return Object.fromEntries(Tally(rows).map(({ count, state }) => [state, count]))
}

/** Waits until all deliveries are delivered: so many, and no more. */
export const delivered = async (nodes: Nodes, count: number): Promise<void> => {
  const states = await until(
    () => deliveries(nodes),
    (states) => Object.keys(states).join() === "delivered" && (states["delivered"] ?? 0) >= count
  )
  if (states["delivered"] !== count) throw new Error(`There are ${states["delivered"]} deliveries, not ${count}`)
}

/** How many rows a statement finds. */
export const count = async ({ database }: Nodes, statement: string): Promise<number> =>
  (await database.rows(statement)).length
