import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { StorageError } from "../storage/StorageError.ts"

/** The minimum time between two writes of the last use of a key or session. */
const writeInterval = Duration.toMillis(Duration.minutes(1))

/** The maximum number of rows whose last write is remembered. Beyond it all are forgotten, which costs only writes. */
const maxRemembered = 10_000

/** A key or a session. */
interface Used {
  readonly id: number
  readonly lastUsedAt: DateTime.Utc | null
}

/** Records when keys or sessions were last used. */
export interface LastUse<Row extends Used> {
  /**
   * Returns the effect that writes the use of a row in the background, or null if that was done within the last minute
   * (D-KEY-9). A write that fails or waits for a lock neither fails nor delays the request. Otherwise a database that
   * accepts no writes would stop requests that only read.
   */
  readonly record: (row: Row, now: DateTime.Utc) => Effect.Effect<void> | null
}

/**
 * Makes the recorder. Writes that still run when the scope ends are interrupted.
 *
 * @param what what is used, for the log, such as `an API key`
 * @param touch writes the use of a row
 */
export const make = Effect.fnUntraced(function* <Row extends Used>(
  what: string,
  touch: (row: Row, now: DateTime.Utc) => Effect.Effect<void, StorageError>
) {
  const scope = yield* Effect.scope
  // The write must not use the context of the request, whose transaction may end before the write.
  const context = yield* Effect.context<never>()
  const recorded = new Map<number, number>()
  // One write at a time, because writes that wait for a lock would otherwise use up the connections of the pool.
  const turn = Semaphore.makeUnsafe(1)

  const record: LastUse<Row>["record"] = (row, now) => {
    const { id, lastUsedAt } = row
    const millis = DateTime.toEpochMillis(now)
    const before = Math.max(
      recorded.get(id) ?? -Infinity,
      lastUsedAt === null ? -Infinity : DateTime.toEpochMillis(lastUsedAt)
    )
    if (millis - before < writeInterval) return null
    if (recorded.size >= maxRemembered) recorded.clear()
    recorded.set(id, millis)
    const write = Effect.catchCause(touch(row, now), (cause) =>
      Effect.logDebug(`The last use of ${what} was not written`, cause)
    )
    return Effect.asVoid(
      Effect.forkIn(
        Effect.updateContext(turn.withPermit(write), () => context),
        scope,
        { startImmediately: true }
      )
    )
  }
  return { record } satisfies LastUse<Row>
})
