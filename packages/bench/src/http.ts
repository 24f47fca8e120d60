import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Agreement from "./http/Agreement.ts"
import * as Child from "./http/Child.ts"
import * as Contest from "./http/Contest.ts"
import * as Profile from "./http/Profile.ts"
import * as Requests from "./http/Requests.ts"
import * as Rounds from "./Rounds.ts"

const read = { requests: "reads", expectedStatus: 200 } as const
const write = { requests: "writes", expectedStatus: 201 } as const

/** What is measured. With one connection, a server does nothing else during a request. */
const kinds = [
  { ...read, name: "GET an event, a second", connections: 24, rounds: 9 },
  { ...write, name: "POST an event, a second", connections: 24, rounds: 9 },
  { ...read, name: "GET with 1 connection", connections: 1, rounds: 5 },
  { ...write, name: "POST with 1 connection", connections: 1, rounds: 5 }
]

type Kind = (typeof kinds)[number]

type Load = (server: Child.Server) => Promise<Rounds.Costed & { readonly answers: number }>

/**
 * Prints the rate of each server, its CPU time for a request, which other processes disturb less, and its latencies. An
 * uncounted round comes first as a warm-up.
 */
const compare = async (
  kind: Kind,
  servers: ReadonlyArray<Child.Server>,
  sendRequests: Load,
  rounds: number
): Promise<void> => {
  for (const server of servers) await sendRequests(server)
  const results = await Rounds.interleave(servers, rounds, sendRequests)
  console.log(
    Rounds.table(
      kind.name,
      results.map(({ contestant, results }) => ({ name: contestant.name, results }))
    )
  )
}

/** Prints in which functions a server spends its time. */
const explain = async (kind: Kind, server: Child.Server, sendRequests: Load): Promise<void> => {
  let requests = 0
  const profile = await server.profile(async () => {
    requests = (await sendRequests(server)).answers
  })
  console.log(`${server.name}, ${kind.name}`)
  console.log(Profile.table(profile, requests))
}

const contests = { sqlite: Contest.sqlite, postgres: Contest.postgres }

/** The options of the suite. */
export interface HttpOptions extends Rounds.SuiteOptions {
  /** The only database that is measured. Default: all. */
  readonly database?: keyof typeof contests
  /** Whether to also print a profile of each server. */
  readonly profile?: boolean
}

/** Measures the servers on one database. */
const measure = async (
  open: Contest.Open,
  load: Child.Load,
  { profile = false, quick }: Omit<HttpOptions, "database">
): Promise<void> => {
  const [events, millis] = quick ? [50, 100] : [10_000, 1_500]
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  try {
    const contest = await open(folder, events)
    try {
      const requests = Requests.make(contest.fixture)
      await Agreement.check(contest.servers, requests)
      console.log(`${contest.database}, ${events.toLocaleString("en")} events. Answers and rows agree.`)
      for (const kind of kinds) {
        const { connections, expectedStatus } = kind
        const round = { connections, millis, requests: requests[kind.requests], expectedStatus }
        const sendRequests: Load = (server) => load.measure(server, round, contest.others)
        await compare(kind, contest.servers, sendRequests, quick ? 1 : kind.rounds)
        if (profile) for (const server of contest.servers) await explain(kind, server, sendRequests)
      }
    } finally {
      await contest.stop()
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Prints how many requests a second the reference server answers, with 24 connections and with one, on SQLite and on
 * PostgreSQL. The baseline is a hand-written Fastify server with the same SQL, checks, answers and durability.
 */
export const run = async ({ database, ...options }: HttpOptions): Promise<void> => {
  const measured = database === undefined ? Object.values(contests) : [contests[database]]
  const load = Child.startLoad()
  try {
    for (const open of measured) await measure(open, load, options)
  } finally {
    await load.stop()
  }
}

if (import.meta.main) {
  await run({ quick: process.argv.includes("--quick"), profile: process.argv.includes("--profile") })
}
