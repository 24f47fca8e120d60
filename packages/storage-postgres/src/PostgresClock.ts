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

/** How many times the server is asked at once; the quickest answer says most. */
const questions = 5

/** How long until it is asked again, and after it has not answered. */
const every = Duration.seconds(30)
const afterFailure = Duration.seconds(2)

/** By how much the wall clock and the monotonic clock may part before the server is asked at once, in milliseconds. */
const parted = 500

/** The longest step back, in milliseconds, that is waited out instead of made. */
const smallStep = 1_000

const Answer = Schema.Tuple([Schema.Struct({ time: Schema.Finite })])

const decode = Schema.decodeUnknownEffect(Answer)

/**
 * A clock that shows the time of the database's server, so that all who use one database agree what is due, however
 * wrong the clocks of their own machines are.
 *
 * The server is asked when the clock is made, every 30 seconds, and at once after the machine has slept or its wall
 * clock was set. In between the monotonic clock of the machine counts, so that setting the wall clock changes nothing.
 * While the database is out of reach the clock goes on with what it knows. It never goes back by less than a second; it
 * stands still instead. Sleeping, and what measures spans of time, is that of the clock around it.
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
    const rows = yield* sql`SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS float8) AS time`
    const receivedAt = monotonic()
    const [{ time }] = yield* Effect.orDie(decode(rows))
    return { sentAt, receivedAt, serverTime: time }
  })
  const measure = Effect.gen(function* () {
    wanted.closeUnsafe()
    wallAheadThen = wallAhead()
    for (let asked = 0; asked < questions; asked++) offset = ClockOffset.after(offset, yield* ask)
    return every
  })
  const measureAgain = measure.pipe(
    Effect.catch((error) =>
      Effect.as(Effect.logDebug("The clock of the database cannot be read", error), afterFailure)
    ),
    Effect.flatMap((pause) => Effect.raceFirst(wanted.await, Effect.sleep(pause)))
  )

  const now = (): number => {
    if (Math.abs(wallAhead() - wallAheadThen) > parted) wanted.openUnsafe()
    const time = monotonic() + (offset?.value ?? wallAheadThen)
    if (time > shown || shown - time > smallStep) shown = time
    return shown
  }
  const millis = () => Math.floor(now())
  const nanos = () => BigInt(Math.floor(now() * 1_000)) * 1_000n

  const pause = yield* measure
  yield* Effect.forkScoped(
    Effect.andThen(Effect.raceFirst(wanted.await, Effect.sleep(pause)), Effect.forever(measureAgain))
  )
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => local.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: local.monotonicTimeNanos,
    sleep: (duration) => local.sleep(duration)
  }
})

/** Gives all that is built on it, and all it is provided to, the time of the database. */
export const layer: Layer.Layer<never, SqlError, SqlClient> = Layer.effect(Clock.Clock, make)
