import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import * as Engine from "./deliveries/Engine.ts"
import * as Inbox from "./deliveries/Inbox.ts"
import * as Throughput from "./deliveries/Throughput.ts"
import * as Claims from "./postgres/Claims.ts"
import * as NodeProcess from "./postgres/NodeProcess.ts"
import * as Nodes from "./postgres/Nodes.ts"
import * as ReadsAndWrites from "./postgres/ReadsAndWrites.ts"
import * as Reminders from "./postgres/Reminders.ts"
import * as Server from "./postgres/Server.ts"
import * as Signals from "./postgres/Signals.ts"
import * as Volume from "./postgres/Volume.ts"
import type { SuiteOptions } from "./Rounds.ts"
import * as Fill from "./storage/Fill.ts"
import * as Growth from "./storage/Growth.ts"
import * as OpenWebhooks from "./storage/OpenWebhooks.ts"

const full = {
  services: { reads: 200, writes: 100, rounds: 3 },
  throughput: { count: 3_000, produced: 1_000, rounds: 3 },
  nodes: { count: 4_000, rounds: 3 },
  claims: { count: 6_000, rounds: 3 },
  reminders: { count: 2_000, rounds: 3 },
  signals: { count: 1_500, rounds: 3 },
  volume: 3_000,
  growth: { few: 1_000, many: 1_000_000, rounds: 600 },
  openWebhooks: { few: 100, many: 100_000, rounds: 200 }
}

const smoke: typeof full = {
  services: { reads: 5, writes: 5, rounds: 1 },
  throughput: { count: 50, produced: 20, rounds: 1 },
  nodes: { count: 50, rounds: 1 },
  claims: { count: 100, rounds: 1 },
  reminders: { count: 50, rounds: 1 },
  signals: { count: 50, rounds: 1 },
  volume: 50,
  growth: { few: 100, many: 1_000, rounds: 20 },
  openWebhooks: { few: 100, many: 1_000, rounds: 20 }
}

/** The number of nodes that are started. */
const nodeCount = 4

/** Opens a resource and closes it with the scope. */
const opened = <A>(open: () => Promise<A>, close: (opened: A) => Promise<void>) =>
  Effect.acquireRelease(Effect.promise(open), (opened) => Effect.promise(() => close(opened)))

const program = Effect.fnUntraced(function* (size: typeof full) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))),
    (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
  )
  const server = yield* opened(Server.start, (server) => server.stop())
  const inbox = yield* opened(Inbox.open, (inbox) => inbox.stop())
  const database = (name: string) => Effect.promise(() => server.database(name))
  const both = Effect.fnUntraced(function* (name: string) {
    const sqlite = yield* Layer.build(Engine.layer(`sqlite:${path.join(folder, name)}.db`))
    const postgres = yield* Layer.build(Engine.layer(yield* database(name)))
    return [
      { name: "SQLite", services: sqlite, others: {} },
      { name: "PostgreSQL", services: postgres, others: { database: server.cpuMicros } }
    ]
  })

  const services = Effect.gen(function* () {
    const contestants = yield* both("services")
    yield* Effect.promise(() => ReadsAndWrites.run(contestants, size.services))
  })

  const throughput = Effect.gen(function* () {
    const contestants = yield* both("throughput")
    yield* Effect.promise(async () => {
      const made = await Promise.all(
        contestants.map(async ({ name, others, services }) => ({
          name,
          others,
          kinds: await Throughput.contestants(services, inbox, size.throughput)
        }))
      )
      for (const kind of ["full", "meanwhile"] as const) {
        await Throughput.compare(
          `deliveries/s, ${kind}`,
          made.map(({ kinds, name, others }) => ({ ...kinds[kind], name, others })),
          size.throughput.rounds
        )
      }
    })
  })

  const nodes = Effect.gen(function* () {
    const url = yield* database("nodes")
    const services = yield* Layer.build(Engine.layer(url))
    const node = opened(
      () => NodeProcess.start(url),
      (node) => node.stop()
    )
    const nodes = yield* Effect.replicateEffect(node, nodeCount, { concurrency: "unbounded" })
    yield* Effect.promise(() => Nodes.run(services, inbox, nodes, server.cpuMicros, size.nodes))
    yield* Effect.promise(() => Claims.run(services, nodes, server.cpuMicros, size.claims))
    yield* Effect.promise(() => Reminders.run(services, nodes, server.cpuMicros, size.reminders))
  })

  const signals = Effect.gen(function* () {
    const connections = { "database-connections": `${Signals.writers}` }
    const services = yield* Layer.build(Engine.layer(yield* database("signals"), connections))
    yield* Effect.promise(() => Signals.run(services, server.cpuMicros, size.signals))
  })

  const volume = Effect.gen(function* () {
    const url = yield* database("volume")
    yield* Effect.promise(() => Volume.run(url, inbox, size.volume))
  })

  const growth = Effect.gen(function* () {
    const before = performance.now()
    let databases = 0
    const filled = Effect.fnUntraced(function* (count: number, openWebhooks: number, kind: OpenWebhooks.Kind) {
      const url = Redacted.make(yield* database(`rows_${databases++}`))
      const filling = PostgresStorage.layer({ url, statementTimeout: Duration.infinity })
      yield* Effect.provide(Effect.andThen(Fill.fill(count), OpenWebhooks.fill(openWebhooks, kind)), filling)
      return yield* Layer.build(PostgresStorage.layer({ url }))
    })
    const small = yield* filled(size.growth.few, size.openWebhooks.few, OpenWebhooks.inOneAccount)
    const large = yield* filled(size.growth.many, size.openWebhooks.many, OpenWebhooks.inOneAccount)
    yield* Console.log(`written in ${((performance.now() - before) / 1_000).toFixed(1)} s`)
    yield* Growth.run(small, large, size.growth)
    yield* OpenWebhooks.run(small, large, size.openWebhooks, OpenWebhooks.inOneAccount)
    for (const kind of OpenWebhooks.inManyAccounts) {
      const few = yield* filled(size.growth.few, size.openWebhooks.few, kind)
      const many = yield* filled(size.growth.few, size.openWebhooks.many, kind)
      yield* OpenWebhooks.run(few, many, size.openWebhooks, kind)
    }
  })

  for (const part of [services, throughput, nodes, signals, volume, growth]) yield* Effect.scoped(part)
})

/**
 * Prints measurements of PostgreSQL: reads, writes and deliveries compared with SQLite; two nodes compared with one;
 * claims and reminders by several nodes at once; the cost of notifications; what a delivery leaves in the database; lists and
 * look-ups among many rows.
 */
export const run = ({ quick }: SuiteOptions): Promise<void> =>
  Effect.runPromise(Effect.scoped(program(quick ? smoke : full)))

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
