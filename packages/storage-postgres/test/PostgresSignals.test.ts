import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { ReminderSignal } from "@frontdesk/core/reminder/ReminderSignal"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"
import * as LogEvents from "./LogEvents.ts"

const signals = Layer.mergeAll(DeliverySignal.layer, ReminderSignal.layer, OutboxSignal.layer)

const node = (config: PostgresConfig) =>
  Layer.build(
    Layer.merge(PostgresSignals.layer(config), signals).pipe(Layer.provideMerge(PostgresClient.layer(config)))
  )

type Node = Effect.Success<ReturnType<typeof node>>

/** Builds a node and waits until it listens: then it notifies its own workers. */
const listeningNode = Effect.fnUntraced(function* (config: PostgresConfig) {
  const built = yield* node(config)
  yield* (yield* Context.get(built, OutboxSignal).listen).await
  return built
})

/** Builds two nodes on one database, and waits until both listen. */
const twoNodes = Effect.gen(function* () {
  const url = Redacted.make(yield* TestDatabase.make)
  return [
    yield* listeningNode({ url, applicationName: "one" }),
    yield* listeningNode({ url, applicationName: "two" })
  ] as const
})

const openProxy = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => Proxy.open(url)),
    (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
  )

/** The URL of a server that does not exist. */
const nowhere = "postgres://127.0.0.1:1/nothing"

/** Ends the connection with which a node listens. */
const endListener = (from: Node, application: string) =>
  Context.get(from, PgClient)<{ done: boolean }>`SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%' AND application_name = ${application}`

const signalsOf = (node: Node) => [
  Context.get(node, DeliverySignal),
  Context.get(node, ReminderSignal),
  Context.get(node, OutboxSignal)
]

/**
 * Moves the test clock by a duration until an effect ends, and returns its result. The clock moves again every 100 real
 * milliseconds, because a move has no effect on a node that has not begun to wait.
 */
const after = <A, E, R>(duration: Duration.Input, effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    Effect.forever(Effect.andThen(TestClock.adjust(duration), TestClock.withLive(Effect.sleep("100 millis"))))
  )

describe("PostgresSignals", () => {
  it.live(
    "a signal of one node notifies the workers of other nodes that wait for this signal, and no other workers",
    () =>
      Effect.gen(function* () {
        const [one, two] = yield* twoNodes
        for (const [index, signal] of signalsOf(one).entries()) {
          const latches = yield* Effect.forEach(signalsOf(two), ({ listen }) => listen)
          yield* signal.notify
          yield* latches[index]?.await ?? Effect.die("no latch")
          expect(latches.map((latch) => latch.isOpen())).toEqual(latches.map((_, other) => other === index))
        }
      }).pipe(Effect.scoped)
  )

  it.live("a signal returns neither to the node that sent it nor from the nodes that received it", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const notifications = yield* Context.get(one, PgClient).listen("frontdesk_signals")
      const own = yield* Context.get(one, DeliverySignal).listen
      const others = yield* Context.get(two, DeliverySignal).listen
      yield* Context.get(one, DeliverySignal).notify
      expect(own.isOpen()).toBe(true)
      own.closeUnsafe()
      yield* others.await
      yield* Context.get(two, OutboxSignal).notify
      const payloads = [(yield* Queue.take(notifications)).payload, (yield* Queue.take(notifications)).payload]
      expect(payloads.map((payload) => payload.replace(/^\S+ /, ""))).toEqual(["delivery", "outbox"])
      expect(own.isOpen()).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("signals without pause lead to one notification every 20 ms, with each of their kinds (D-PG-24)", () =>
    Effect.gen(function* () {
      const [one] = yield* twoNodes
      const client = Context.get(one, PgClient)
      const notifications = yield* client.listen("frontdesk_signals")
      const next = Effect.map(Queue.take(notifications), ({ payload }) => payload)
      const notifyAll = Effect.forEach(signalsOf(one), ({ notify }) => notify, { discard: true })
      for (let count = 0; count < 300; count++) yield* notifyAll
      yield* client.notify("frontdesk_signals", "first end")
      // The first notification of signals and `first end` are sent at once, in any order. Time stands still, so there
      // is no second notification of signals.
      expect([yield* next, yield* next]).toContain("first end")
      yield* notifyAll
      const second = yield* after("20 millis", next)
      expect(second.split(" ").slice(1).toSorted()).toEqual(["delivery", "outbox", "reminder"])
      yield* client.notify("frontdesk_signals", "second end")
      expect(yield* next).toBe("second end")
    }).pipe(Effect.scoped)
  )

  it.effect("a connection that was ended is replaced, and the node looks for work that it may have missed", () =>
    Effect.gen(function* () {
      const { captured, lines } = yield* LogEvents.capture
      const [one, two] = yield* captured(twoNodes)
      const latch = yield* Context.get(two, DeliverySignal).listen
      expect(yield* endListener(one, "two")).toEqual([{ done: true }])
      yield* Queue.take(lines)
      yield* after("1 second", latch.await)
      latch.closeUnsafe()
      yield* Context.get(one, DeliverySignal).notify
      yield* latch.await
    }).pipe(Effect.scoped)
  )

  it.effect("a connection that cannot be replaced is logged as one warning, and its replacement as one notice", () =>
    Effect.gen(function* () {
      const { captured, lines } = yield* LogEvents.capture
      const url = yield* TestDatabase.make
      const proxy = yield* openProxy(url)
      const listenUrl = Redacted.make(proxy.through(url))
      yield* captured(listeningNode({ url: Redacted.make(url), pooler: "transaction", listenUrl }))
      proxy.lead(nowhere)
      const levels = [(yield* Queue.take(lines)).level]
      while (levels.length < 4) levels.push((yield* after("1 second", Queue.take(lines))).level)
      expect(levels).toEqual(["Debug", "Warn", "Debug", "Debug"])
      proxy.lead(url)
      const replaced = yield* after(
        "1 second",
        Queue.take(lines).pipe(Effect.repeat({ until: ({ level }) => level !== "Debug" }))
      )
      expect(replaced).toMatchObject({ level: "Info", event: "signals.received" })
    }).pipe(Effect.scoped)
  )

  it.effect("a listenUrl that cannot be used makes the node fail with the reason (D-PG-25)", () =>
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
      expect(yield* reasonFor(nowhere)).toBe("unreachable")
      expect(yield* reasonFor(changed((to) => (to.pathname = "/nothing")))).toBe("refused")
      expect(yield* reasonFor(changed((to) => (to.username = "nobody")))).toBe("refused")

      const direct = yield* node({ url: Redacted.make(url) })
      const notifications = yield* Context.get(direct, PgClient).listen("frontdesk_signals")
      const other = yield* TestDatabase.make
      const deaf = yield* Effect.forkChild(reasonFor(other))
      // The node has sent its notification, and waits for it in the other database.
      yield* Queue.take(notifications)
      expect(yield* after("5 seconds", Fiber.join(deaf))).toBe("deaf")
      yield* node({ url: Redacted.make(url), pooler: "transaction", listenUrl: Redacted.make(url) })
    }).pipe(Effect.scoped)
  )

  it.effect("a connection that is replaced at once is not logged as a warning, not even the second time", () =>
    Effect.gen(function* () {
      const { captured, lines } = yield* LogEvents.capture
      const url = Redacted.make(yield* TestDatabase.make)
      const one = yield* captured(listeningNode({ url, applicationName: "one" }))
      const latch = yield* Context.get(one, OutboxSignal).listen
      const levels: Array<string> = []
      for (let count = 0; count < 2; count++) {
        latch.closeUnsafe()
        yield* endListener(one, "one")
        levels.push((yield* Queue.take(lines)).level)
        yield* after("1 second", latch.await)
      }
      expect([...levels, ...(yield* Queue.clear(lines))]).toEqual(["Debug", "Debug"])
    }).pipe(Effect.scoped)
  )

  it.effect("an outage of the database is not logged as a warning, because the client reports it (D-PG-25)", () =>
    Effect.gen(function* () {
      const { captured, lines } = yield* LogEvents.capture
      const url = yield* TestDatabase.make
      const proxy = yield* openProxy(url)
      yield* captured(listeningNode({ url: Redacted.make(proxy.through(url)) }))
      proxy.lead(nowhere)
      const missed = Queue.take(lines).pipe(Effect.repeat({ until: ({ event }) => event === "signals.missed" }))
      const levels = [(yield* missed).level]
      while (levels.length < 4) levels.push((yield* after("1 second", missed)).level)
      expect(levels).toEqual(["Debug", "Debug", "Debug", "Debug"])
    }).pipe(Effect.scoped)
  )
})
