import { PgClient } from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inject } from "vitest"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"
import * as LogEvents from "./LogEvents.ts"

/** Builds a node with one connection beside the one that listens, so that its statements run one after the other. */
const node = (url: string) => {
  const config: PostgresConfig = { url: Redacted.make(url), maxConnections: 1 }
  return Layer.build(
    Layer.merge(PostgresSignals.layer(config), DeliverySignal.layer).pipe(
      Layer.provideMerge(PostgresClient.layer(config))
    )
  )
}

const openProxy = Effect.acquireRelease(
  Effect.promise(() => Proxy.open(inject("postgresUrl"))),
  (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
)

it.effect("a connection that stays open and receives nothing any more is replaced after 40 seconds (D-PG-24)", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    const proxy = yield* openProxy
    const { captured, lines } = yield* LogEvents.capture
    const one = yield* captured(node(proxy.through(url)))
    const client = Context.get(one, PgClient)
    const latch = yield* Context.get(one, DeliverySignal).listen
    yield* latch.await
    latch.closeUnsafe()
    expect(proxy.stallListeners()).toBe(1)

    let seconds = 0
    while ((yield* Queue.size(lines)) === 0) {
      yield* TestClock.adjust("1 second")
      // The node has one connection for statements, so its notification to itself was sent before this one ran.
      yield* client`SELECT 1`
      seconds += 1
    }
    // 30 seconds without a notification, 10 seconds for the notification to itself, and one more on a slow machine.
    expect([40, 41]).toContain(seconds)
    yield* TestClock.adjust("1 second")
    yield* latch.await
    latch.closeUnsafe()
    // The connection was replaced at the first attempt, which is not worth a warning.
    expect((yield* Queue.clear(lines)).map(({ level }) => level)).toEqual(["Debug"])

    const two = yield* node(url)
    yield* Context.get(two, DeliverySignal).notify
    yield* latch.await
  })
)
