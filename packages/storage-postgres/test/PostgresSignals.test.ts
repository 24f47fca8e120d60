import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { ReminderSignal } from "@frontdesk/core/reminder/ReminderSignal"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"

const signals = Layer.mergeAll(DeliverySignal.layer, ReminderSignal.layer, OutboxSignal.layer)

const node = (config: PostgresConfig) =>
  Layer.build(
    Layer.merge(PostgresSignals.layer(config), signals).pipe(Layer.provideMerge(PostgresClient.layer(config)))
  )

type Node = Effect.Success<ReturnType<typeof node>>

/** A node that hears: it wakes everyone who listens when it begins to. */
const hearingNode = Effect.fnUntraced(function* (config: PostgresConfig) {
  const built = yield* node(config)
  yield* (yield* Context.get(built, OutboxSignal).listen).await
  return built
})

/** Two nodes on one database, both of which hear. */
const twoNodes = Effect.gen(function* () {
  const url = Redacted.make(yield* TestDatabase.make)
  return [
    yield* hearingNode({ url, applicationName: "one" }),
    yield* hearingNode({ url, applicationName: "two" })
  ] as const
})

const query = (node: Node, text: string) => Context.get(node, PgClient).unsafe<Record<string, unknown>>(text)

const all = (node: Node) => [
  Context.get(node, DeliverySignal),
  Context.get(node, ReminderSignal),
  Context.get(node, OutboxSignal)
]

describe("PostgresSignals", () => {
  it.live("a signal of one node wakes who listens to it on the others, and to no other signal", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      for (const [index, signal] of all(one).entries()) {
        const latches = yield* Effect.forEach(all(two), ({ listen }) => listen)
        yield* signal.notify
        yield* latches[index]?.await ?? Effect.die("no latch")
        expect(latches.map((latch) => latch.isOpen())).toEqual(latches.map((_, other) => other === index))
      }
    }).pipe(Effect.scoped)
  )

  it.live("a signal is not sent back to the node it comes from, nor on by those it wakes", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const heard = yield* Context.get(one, PgClient).listen("frontdesk_signals")
      const own = yield* Context.get(one, DeliverySignal).listen
      const others = yield* Context.get(two, DeliverySignal).listen
      yield* Context.get(one, DeliverySignal).notify
      expect(own.isOpen()).toBe(true)
      own.closeUnsafe()
      yield* others.await
      yield* Context.get(two, OutboxSignal).notify
      const payloads = [(yield* Queue.take(heard)).payload, (yield* Queue.take(heard)).payload]
      expect(payloads.map((payload) => payload.replace(/^\S+ /, ""))).toEqual(["delivery", "outbox"])
      expect(own.isOpen()).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("a node that signals without pause notifies the others a few times, and tells each kind (D-PG-24)", () =>
    Effect.gen(function* () {
      const [one] = yield* twoNodes
      const heard = yield* Context.get(one, PgClient).listen("frontdesk_signals")
      const startedAt = performance.now()
      for (let count = 0; count < 300; count++) yield* Effect.forEach(all(one), ({ notify }) => notify)
      const took = performance.now() - startedAt
      yield* Effect.sleep("100 millis")
      yield* Context.get(one, PgClient).notify("frontdesk_signals", "end")
      const payloads: Array<string> = []
      while (payloads.at(-1) !== "end") payloads.push((yield* Queue.take(heard)).payload)
      // One at most every 20 ms, however long the signals took; then the last one and the end.
      expect(payloads.length).toBeLessThan(took / 20 + 5)
      const names = payloads.flatMap((payload) => payload.split(" ").slice(1))
      expect([...new Set(names)].toSorted()).toEqual(["delivery", "outbox", "reminder"])
    }).pipe(Effect.scoped)
  )

  it.live("a connection that is cut off is replaced, and what was signalled meanwhile is looked for", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const latch = yield* Context.get(two, DeliverySignal).listen
      const cut = yield* query(
        one,
        `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%' AND application_name = 'two'`
      )
      expect(cut).toEqual([{ done: true }])
      yield* latch.await
      latch.closeUnsafe()
      yield* Context.get(one, DeliverySignal).notify
      yield* latch.await
    }).pipe(Effect.scoped)
  )

  it.live(
    "a connection that can be opened no more is warned of once, however often it is tried, and told of when it hears again",
    () =>
      Effect.gen(function* () {
        const { levels, logged } = yield* logs
        const url = yield* TestDatabase.make
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => Proxy.open(url)),
          (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
        )
        const listenUrl = Redacted.make(proxy.through(url))
        yield* hearingNode({ url: Redacted.make(url), pooler: "transaction", listenUrl }).pipe(logged)
        proxy.lead("postgres://127.0.0.1:1/nothing")
        const taken = yield* Effect.replicateEffect(Queue.take(levels), 4)
        expect(taken).toEqual(["Debug", "Warn", "Debug", "Debug"])
        proxy.lead(url)
        expect(yield* Queue.take(levels).pipe(Effect.repeat({ until: (level) => level !== "Debug" }))).toBe("Info")
      }).pipe(Effect.scoped)
  )

  it.live("a URL to listen on that cannot serve fails at once, with the reason", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const reasonFor = (listenUrl: string) =>
        node({ url: Redacted.make(url), pooler: "transaction", listenUrl: Redacted.make(listenUrl) }).pipe(
          Effect.flip,
          Effect.map(({ reason }) => reason)
        )
      const changed = (change: (to: URL) => void) => {
        const to = new URL(url)
        change(to)
        return to.href
      }
      expect(yield* reasonFor("postgres://127.0.0.1:1/nothing")).toBe("unreachable")
      expect(yield* reasonFor(changed((to) => (to.pathname = "/nothing")))).toBe("refused")
      expect(yield* reasonFor(changed((to) => (to.username = "nobody")))).toBe("refused")
      expect(yield* reasonFor(yield* TestDatabase.make)).toBe("deaf")
      yield* node({ url: Redacted.make(url), pooler: "transaction", listenUrl: Redacted.make(url) })
    }).pipe(Effect.scoped)
  )

  it.live("a connection that is replaced at once, time and again, is not warned of", () =>
    Effect.gen(function* () {
      const { levels, logged } = yield* logs
      const one = yield* hearingNode({ url: Redacted.make(yield* TestDatabase.make) }).pipe(logged)
      const latch = yield* Context.get(one, OutboxSignal).listen
      for (let count = 0; count < 2; count++) {
        latch.closeUnsafe()
        yield* query(
          one,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'`
        )
        yield* latch.await
      }
      expect(yield* Queue.clear(levels)).toEqual(["Debug", "Debug"])
    }).pipe(Effect.scoped)
  )

  it.live("an outage of the database is not warned of, for its client says it (D-PG-25)", () =>
    Effect.gen(function* () {
      const { levels, logged } = yield* logs
      const url = yield* TestDatabase.make
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => Proxy.open(url)),
        (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
      )
      yield* hearingNode({ url: Redacted.make(proxy.through(url)) }).pipe(logged)
      proxy.lead("postgres://127.0.0.1:1/nothing")
      expect(yield* Effect.replicateEffect(Queue.take(levels), 4)).toEqual(["Debug", "Debug", "Debug", "Debug"])
    }).pipe(Effect.scoped)
  )
})

/** The levels of what is logged of signals, and what runs a node so that it is logged there. */
const logs = Effect.gen(function* () {
  const levels = yield* Queue.unbounded<string>()
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (String(message).includes("signals of other nodes")) Queue.offerUnsafe(levels, logLevel)
  })
  const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
  return { levels, logged }
})
