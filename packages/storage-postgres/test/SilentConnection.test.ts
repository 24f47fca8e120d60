import { PgClient } from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { inject } from "vitest"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"

/** A node with one connection beside that which listens, so that what is asked is asked in order. */
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

it.effect("a connection that hears nothing any more and is not closed is replaced after 40 seconds (D-PG-24)", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    const proxy = yield* openProxy
    const said: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (String(message).includes("signals of other nodes")) said.push(logLevel)
    })
    const one = yield* node(proxy.through(url)).pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
    const client = Context.get(one, PgClient)
    const latch = yield* Context.get(one, DeliverySignal).listen
    yield* latch.await
    latch.closeUnsafe()
    expect(proxy.stallListeners()).toBe(1)

    let seconds = 0
    while (said.length === 0) {
      yield* TestClock.adjust("1 second")
      // What the node asks at that time has been answered before this.
      yield* client`SELECT 1`
      seconds += 1
    }
    expect([40, 41]).toContain(seconds)
    yield* TestClock.adjust("1 second")
    yield* latch.await
    latch.closeUnsafe()
    // It was replaced at once: nothing to be warned of.
    expect(said).toEqual(["Debug"])

    const two = yield* node(url)
    yield* Context.get(two, DeliverySignal).notify
    yield* latch.await
  })
)
