import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Agreement from "./http/Agreement.ts"
import * as Child from "./http/Child.ts"
import * as Fixture from "./http/Fixture.ts"
import * as Profile from "./http/Profile.ts"
import * as Requests from "./http/Requests.ts"
import * as Rounds from "./Rounds.ts"

const baseline = { name: "Fastify, by hand", module: "../baseline/fastify.ts" }

const frontdesk = { name: "Frontdesk", module: "./frontdesk.ts" }

const compiled = {
  ...frontdesk,
  name: "Frontdesk, schemas compiled",
  execArgv: ["--import", "effect/schema/SchemaJITCompiler/enable"]
}

const kinds = [
  { name: "GET an event", requests: "reads", expectedStatus: 200 },
  { name: "POST an event", requests: "writes", expectedStatus: 201 }
] as const

const connections = 24

/** How a round went for one server. */
interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number
}

const measure = async (
  load: Child.Load,
  server: Child.Server,
  { expectedStatus, requests }: (typeof kinds)[number],
  all: Requests.Requests,
  millis: number
): Promise<Measured> => {
  const before = await server.cpuMicros()
  const { answers, seconds } = await load.run({
    port: server.port,
    connections,
    millis,
    requests: all[requests],
    expectedStatus
  })
  return { perSecond: answers / seconds, cpuMicros: ((await server.cpuMicros()) - before) / answers }
}

/**
 * Prints how many requests a second the server answers beside a hand-written Fastify server with the same SQL, checks
 * and durability; with `profile` also where its time goes.
 */
export const run = async ({ profile = false, quick }: Rounds.SuiteOptions & { readonly profile?: boolean }) => {
  const [events, rounds, millis] = quick ? [50, 1, 100] : [10_000, 7, 2_000]
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  const load = Child.startLoad()
  const servers: Array<Child.Server> = []
  try {
    const filename = (name: string) => path.join(folder, `${name}.db`)
    const fixture = await Fixture.make(filename("fixture"), events)
    const requests = Requests.make(fixture)
    const start = async (options: Omit<Child.ServerOptions, "filename">, name: string) => {
      fs.copyFileSync(filename("fixture"), filename(name))
      const server = await Child.startServer({ ...options, filename: filename(name) })
      servers.push(server)
      return { ...server, filename: filename(name) }
    }
    const contestants = [
      await start(baseline, "baseline"),
      await start(frontdesk, "frontdesk"),
      await start(compiled, "compiled")
    ]
    await Agreement.check(contestants, requests)

    console.log(`${connections} connections, one request at a time each; a row of events of ${events.toLocaleString("en")}`)
    for (const kind of kinds) {
      for (const server of contestants) await measure(load, server, kind, requests, millis)
      const results = await Rounds.interleave(contestants, rounds, (server) =>
        measure(load, server, kind, requests, millis)
      )
      const rates = results.map((one) => one.results.map((result) => result.perSecond))
      console.log(Rounds.row(`\n${kind.name}, a second`, [...Rounds.titles, "CPU µs"]))
      for (const [index, { contestant, results: measured }] of results.entries()) {
        const cpu = Math.min(...measured.map((result) => result.cpuMicros))
        const summary = Rounds.summary(rates[index] ?? [], rates[0] ?? [])
        console.log(Rounds.row(contestant.name, [...Rounds.cells(summary), cpu.toFixed(1)]))
      }
    }
    await Promise.all(servers.splice(0).map((server) => server.stop()))

    if (profile) {
      for (const kind of kinds) {
        for (const options of [baseline, frontdesk]) {
          const profiles = path.join(folder, `${kind.requests}-${path.basename(options.module)}`)
          const execArgv = ["--cpu-prof", "--cpu-prof-interval", "250", "--cpu-prof-dir", profiles]
          const server = await start({ ...options, execArgv }, `profile-${kind.requests}-${path.basename(options.module)}`)
          await measure(load, server, kind, requests, millis)
          const { answers } = await load.run({ port: server.port, connections, millis, requests: requests[kind.requests], expectedStatus: kind.expectedStatus })
          void answers
          await server.stop()
          console.log(`\n${options.name}: ${kind.name}`)
          console.log(Profile.table(profiles))
        }
      }
    }
  } finally {
    await Promise.all([load.stop(), ...servers.map((server) => server.stop())])
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick"), profile: process.argv.includes("--profile") })
