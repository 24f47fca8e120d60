import { expect, it } from "@effect/vitest"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import * as PostgresClock from "@frontdesk/storage-postgres/PostgresClock"

const client = Layer.unwrap(
  Effect.map(TestDatabase.make, (url) => PostgresClient.layer({ url: Redacted.make(url), maxConnections: 2 }))
)

const real = Clock.Clock.defaultValue()

/** Returns the clock of a machine, whose wall clock and monotonic clock a test can set. */
const machine = (ahead: Duration.Input) => {
  let wrong = Duration.toMillis(ahead)
  let monotonic = 77_000_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + wrong,
    currentTimeMillis: Effect.sync(() => real.currentTimeMillisUnsafe() + wrong),
    currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe() + BigInt(wrong) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => real.currentTimeNanosUnsafe() + BigInt(wrong) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe() + monotonic,
    monotonicTimeNanos: Effect.sync(() => real.monotonicTimeNanosUnsafe() + monotonic),
    sleep: (duration) => real.sleep(duration)
  }
  return {
    clock,
    setAhead: (by: Duration.Input) => {
      wrong = Duration.toMillis(by)
    },
    setMonotonicAhead: (by: Duration.Input) => {
      monotonic += BigInt(Duration.toMillis(by)) * 1_000_000n
    }
  }
}

const timeOn = (clock: Clock.Clock) => Effect.provideService(DateTime.now, Clock.Clock, clock)

/** Returns the milliseconds between two instants. */
const between = (a: DateTime.Utc, b: DateTime.Utc) => Math.abs(DateTime.toEpochMillis(a) - DateTime.toEpochMillis(b))

/** More milliseconds than a test may take, and fewer than the errors of the clocks. */
const tolerance = 60_000

it.live("nodes whose clocks are hours apart agree on the time of the database (D-PG-6)", () =>
  Effect.gen(function* () {
    const fast = yield* Effect.provideService(PostgresClock.make, Clock.Clock, machine("5 hours").clock)
    const slow = yield* Effect.provideService(PostgresClock.make, Clock.Clock, machine("-3 hours").clock)
    const before = yield* databaseTime
    const times = [yield* timeOn(fast), yield* timeOn(slow)]
    for (const time of times) expect(between(time, before)).toBeLessThan(tolerance)
  }).pipe(Effect.provide(client), Effect.scoped)
)

it.live("setting the wall clock of a machine does not affect the clock (D-PG-6)", () =>
  Effect.gen(function* () {
    const { clock: local, setAhead } = machine("0 seconds")
    const clock = yield* Effect.provideService(PostgresClock.make, Clock.Clock, local)
    const before = yield* timeOn(clock)
    setAhead("400 days")
    const after = yield* timeOn(clock)
    setAhead("-400 days")
    const last = yield* timeOn(clock)
    expect(between(before, after)).toBeLessThan(tolerance)
    expect(between(before, last)).toBeLessThan(tolerance)
  }).pipe(Effect.provide(client), Effect.scoped)
)

it.live("a clock that is less than a second ahead stands still until it is right, and does not go back (D-PG-6)", () =>
  Effect.gen(function* () {
    const { clock: local, setAhead, setMonotonicAhead } = machine("0 seconds")
    const clock = yield* Effect.provideService(PostgresClock.make, Clock.Clock, local)
    setMonotonicAhead("600 millis")
    let last = clock.currentTimeMillisUnsafe()
    expect(last - real.currentTimeMillisUnsafe()).toBeGreaterThan(300)
    // As on a machine that has slept: the two clocks diverge, so the database is asked at once.
    setAhead("1 hour")
    // The clock of the database is real, so the test waits for about 500 ms.
    while (last - real.currentTimeMillisUnsafe() > 100) {
      yield* Effect.sleep("1 millis")
      const next = clock.currentTimeMillisUnsafe()
      expect(next).toBeGreaterThanOrEqual(last)
      last = next
    }
  }).pipe(Effect.provide(client), Effect.scoped)
)

it.live("an effect with the layer has the time of the database, and so have the fibers it forks", () =>
  Effect.gen(function* () {
    const here = yield* databaseTime
    const inFiber = yield* Effect.flatMap(Effect.forkChild(Effect.delay(DateTime.now, "1 millis")), Fiber.join)
    for (const time of [yield* DateTime.now, inFiber]) expect(between(time, here)).toBeLessThan(tolerance)
  }).pipe(
    Effect.provide(Layer.provideMerge(PostgresClock.layer, client)),
    Effect.provideService(Clock.Clock, machine("9 hours").clock)
  )
)

const databaseTime = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ now: string }>`SELECT CAST(clock_timestamp() AS text) AS now`
  return DateTime.makeUnsafe(row?.now ?? "")
})
