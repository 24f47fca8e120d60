import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Agreement from "./http/Agreement.ts"
import * as Child from "./http/Child.ts"
import * as Fixture from "./http/Fixture.ts"
import * as Profile from "./http/Profile.ts"
import * as Requests from "./http/Requests.ts"
import * as Rounds from "./Rounds.ts"

const contestants = [
  { name: "Fastify, by hand", module: "../baseline/fastify.ts" },
  { name: "Frontdesk", module: "./frontdesk.ts" },
  {
    name: "Frontdesk, schema JIT",
    module: "./frontdesk.ts",
    execArgv: ["--import", "effect/schema/SchemaJITCompiler/enable"]
  }
]

const kinds = [
  { name: "GET an event", requests: "reads", expectedStatus: 200 },
  { name: "POST an event", requests: "writes", expectedStatus: 201 }
] as const

const connections = 24

/** Starts every contestant on its own copy of one database. */
const startAll = (folder: string, fixture: string): Promise<ReadonlyArray<Child.Server>> =>
  Promise.all(
    contestants.map((contestant, index) => {
      const filename = path.join(folder, `${index}.db`)
      fs.copyFileSync(fixture, filename)
      return Child.startServer({ ...contestant, filename })
    })
  )

type Kind = (typeof kinds)[number]

type Load = (server: Child.Server) => Promise<{ readonly perSecond: number; readonly answers: number }>

/**
 * Prints the rate of each server, and its CPU time for a request, which other processes disturb less. An uncounted round
 * comes first as a warm-up.
 */
const compare = async (
  kind: Kind,
  servers: ReadonlyArray<Child.Server>,
  sendRequests: Load,
  rounds: number
): Promise<void> => {
  for (const server of servers) await sendRequests(server)
  const results = await Rounds.interleave(servers, rounds, async (server) => {
    const before = await server.cpuMicros()
    const { answers, perSecond } = await sendRequests(server)
    return { perSecond, cpuMicros: ((await server.cpuMicros()) - before) / answers }
  })
  console.log(
    Rounds.table(
      `${kind.name}, a second`,
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

/** The options of the suite. */
export interface HttpOptions extends Rounds.SuiteOptions {
  /** Whether to also print a profile of each server. */
  readonly profile?: boolean
}

/**
 * Prints how many requests a second the reference server answers. The baseline is a hand-written Fastify server with
 * the same SQL, checks, answers and durability.
 */
export const run = async ({ profile = false, quick }: HttpOptions): Promise<void> => {
  const [events, rounds, millis] = quick ? [50, 1, 100] : [10_000, 9, 1_500]
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const load = Child.startLoad()
  let servers: ReadonlyArray<Child.Server> = []
  try {
    const fixture = path.join(folder, "fixture.db")
    const requests = Requests.make(await Fixture.make(fixture, events))
    servers = await startAll(folder, fixture)
    await Agreement.check(servers, requests)

    console.log(`Answers and rows agree. ${connections} connections, ${events.toLocaleString("en")} events.`)
    for (const kind of kinds) {
      const sendRequests: Load = async ({ port }) => {
        const sent = requests[kind.requests]
        const done = await load.run({ port, connections, millis, requests: sent, expectedStatus: kind.expectedStatus })
        return { perSecond: done.answers / done.seconds, answers: done.answers }
      }
      await compare(kind, servers, sendRequests, rounds)
      if (profile) for (const server of servers) await explain(kind, server, sendRequests)
    }
  } finally {
    await Promise.all([load, ...servers].map((child) => child.stop()))
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await run({ quick: process.argv.includes("--quick"), profile: process.argv.includes("--profile") })
}
