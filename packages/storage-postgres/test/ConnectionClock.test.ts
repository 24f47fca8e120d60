import { PgClient } from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inject } from "vitest"
import { isReal } from "@frontdesk/storage-postgres/clock/RealClock"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"

it.effect("a connection that opens while a test clock moves does not time out", () =>
  Effect.gen(function* () {
    const server = inject("postgresUrl")
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => Proxy.open(server)),
      (open) => Effect.promise(() => open[Symbol.asyncDispose]())
    )
    const layer = PostgresClient.layer({ url: Redacted.make(proxy.through(server)), maxConnections: 2 })
    const client = Context.get(yield* Layer.build(layer), PgClient)
    // The only session that is open.
    yield* client.reserve
    proxy.hold()
    const statement = yield* Effect.forkChild(client`SELECT 1 AS one`)
    yield* TestClock.adjust("1 hour")
    proxy.pass()
    expect(yield* Fiber.join(statement)).toEqual([{ one: 1 }])
  })
)

it.live("the clock that a fiber has by default is known to be real, so that a statement keeps it", () =>
  Effect.gen(function* () {
    expect(isReal(yield* Clock.Clock)).toBe(true)
    expect(isReal(yield* TestClock.make())).toBe(false)
  })
)
