import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ClockOffset from "./clock/ClockOffset.ts"
import * as RealClock from "./clock/RealClock.ts"

/** How many times each measurement asks the server. The quickest answer is the most precise. */
const samples = 5

/** The interval between measurements, and the pause after one that failed. */
const interval = Duration.seconds(30)
const afterFailure = Duration.seconds(2)

/**
 * A difference between the movements of the wall clock and the monotonic clock that causes a measurement at once, in
 * milliseconds.
 */
const maxDivergence = 500

/** The maximum step back that the clock hides by standing still, in milliseconds. */
const maxHiddenStep = 1_000

const Answer = Schema.Tuple([Schema.Struct({ time: Schema.FiniteFromString })])

const decode = Schema.decodeUnknownEffect(Answer)

/**
 * Makes a clock that shows the time of the database server (D-PG-6). So all processes on one database agree on what is
 * due, however wrong the clocks of their machines are.
 *
 * The server is asked when the clock is made, every 30 seconds, and at once after the machine has slept or its wall
 * clock was set. In between, the monotonic clock of the machine counts, so setting the wall clock has no effect. While
 * the database cannot be reached, the clock continues with the last measurement. Instead of going back by less than a
 * second, it stands still. Sleeping and measuring durations use the surrounding clock.
 */
export const make: Effect.Effect<Clock.Clock, SqlError, SqlClient | Scope.Scope> = Effect.gen(function* () {
  const local = yield* Clock.Clock
  const sql = yield* SqlClient
  const wanted = Latch.makeUnsafe(false)
  const monotonic = () => Number(local.monotonicTimeNanosUnsafe()) / 1e6
  const wallAhead = () => local.currentTimeMillisUnsafe() - monotonic()

  let offset: ClockOffset.Offset | undefined
  let wallAheadThen = wallAhead()
  let shown = -Infinity

  const ask = Effect.gen(function* () {
    const sentAt = monotonic()
    // Text, because a host's connection may print fewer digits of a float.
    const rows =
      yield* sql`SELECT CAST(CAST(extract(epoch FROM clock_timestamp()) * 1000 AS numeric(20, 3)) AS text) AS time`
    const receivedAt = monotonic()
    const [{ time }] = yield* Effect.orDie(decode(rows))
    return { sentAt, receivedAt, serverTime: time }
  })
  const measure = Effect.gen(function* () {
    wanted.closeUnsafe()
    wallAheadThen = wallAhead()
    for (let asked = 0; asked < samples; asked++) offset = ClockOffset.after(offset, yield* ask)
    return interval
  })
  const measureAgain = measure.pipe(
    Effect.catch((error) =>
      Effect.as(
        Effect.logDebug("The time of the database cannot be read. It is read again later.", error),
        afterFailure
      )
    ),
    Effect.flatMap((pause) => Effect.raceFirst(wanted.await, Effect.sleep(pause)))
  )

  const now = (): number => {
    if (Math.abs(wallAhead() - wallAheadThen) > maxDivergence) wanted.openUnsafe()
    const time = monotonic() + (offset?.value ?? wallAheadThen)
    if (time > shown || shown - time > maxHiddenStep) shown = time
    return shown
  }
  const millis = () => Math.floor(now())
  const nanos = () => BigInt(Math.floor(now() * 1_000)) * 1_000n

  const pause = yield* measure
  yield* Effect.forkScoped(
    Effect.andThen(Effect.raceFirst(wanted.await, Effect.sleep(pause)), Effect.forever(measureAgain))
  )
  return RealClock.withTimersOf(local, {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => local.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: local.monotonicTimeNanos
  })
})

/** Provides the time of the database to the layers on top of it, and to the effects it is provided to. */
export const layer: Layer.Layer<never, SqlError, SqlClient> = Layer.effect(Clock.Clock, make)
