import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { StorageError } from "./StorageError.ts"

/** After so long without a failure an outage is over: what was begun during it may fail later than others succeed. */
const quiet = Duration.toMillis("5 seconds")

/** An outage that has been said and is not over; times in milliseconds of the monotonic clock. */
interface Present {
  readonly since: number
  failures: number
  lastFailureAt: number
}

/**
 * Says an outage of a storage once when it begins, with its reason, and once when it is over, with how long and how many
 * calls failed; in the log, in between, nothing of it has to be said.
 *
 * An adapter that uses it hands every call of its client to `watch`. The failures are then known, and whoever fails of
 * one says so at debug level (see {@link log}). An adapter that does not has each failure said where it is met.
 */
export interface Outage {
  /** Runs a call to the storage, and sees whether it fails of an outage or shows that there is none. */
  readonly watch: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The failures of outages that were said. */
const said = new WeakSet<object>()

/**
 * Makes the watch over one storage.
 *
 * `storage` names it for whoever reads the log, without a secret. `reasonOf` says why a call failed when that is an
 * outage (nothing can be reached or written, whoever asks), and answers `undefined` for every other failure.
 * `isFollowing` tells which of those, in an outage, come of it too: what takes too long then, for example.
 */
export const make = (options: {
  readonly storage: string
  readonly reasonOf: (error: unknown) => string | undefined
  readonly isFollowing?: (error: unknown) => boolean
}): Outage => {
  let present: Present | undefined
  let overAt = -Infinity

  const failed = (error: unknown, startedAt: number, now: number): Effect.Effect<void> => {
    const reason = options.reasonOf(error)
    const isOfPast = startedAt <= overAt
    if (reason === undefined && !((present !== undefined || isOfPast) && options.isFollowing?.(error)))
      return Effect.void
    if (typeof error === "object" && error !== null) said.add(error)
    if (isOfPast) return Effect.void
    if (present !== undefined) {
      present.failures += 1
      present.lastFailureAt = now
      return Effect.void
    }
    present = { since: now, failures: 1, lastFailureAt: now }
    return Effect.logError(
      `${options.storage} is unavailable: ${reason}. What fails of it is logged at debug level until it is available again`
    )
  }

  const succeeded = (now: number): Effect.Effect<void> => {
    if (present === undefined) return Effect.void
    const { failures, lastFailureAt, since } = present
    if (now - lastFailureAt < quiet) return Effect.void
    present = undefined
    overAt = now
    const seconds = ((lastFailureAt - since) / 1_000).toFixed(1)
    const calls = failures === 1 ? "1 call" : `${failures} calls`
    return Effect.logInfo(`${options.storage} is available again, after ${seconds} seconds in which ${calls} failed`)
  }

  return {
    watch: (call) =>
      Effect.clockWith((clock) => {
        const startedAt = millis(clock)
        return Effect.onExit(call, (exit) => {
          if (Exit.isSuccess(exit)) return present === undefined ? Effect.void : succeeded(millis(clock))
          const error = Cause.findErrorOption(exit.cause)
          return Option.isNone(error) ? Effect.void : failed(error.value, startedAt, millis(clock))
        })
      })
  }
}

const millis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** Whether a failure, or a cause, comes of an outage that its storage has said. */
const isSaid = (failure: unknown): boolean => {
  const error = Cause.isCause(failure) ? Cause.squash(failure) : failure
  const origin = error instanceof StorageError ? error.cause : error
  return typeof origin === "object" && origin !== null && said.has(origin)
}

/**
 * Logs that something failed, with the error or cause. When that comes of an outage that the storage says itself, it is
 * one line at debug level.
 */
export const log = (
  level: LogLevel.Severity,
  message: string,
  failure: unknown,
  details?: Readonly<Record<string, unknown>>
): Effect.Effect<void> => {
  const more = details === undefined ? [] : [details]
  return isSaid(failure)
    ? Effect.logDebug(`${message}: the storage is unavailable`, ...more)
    : Effect.logWithLevel(level)(message, ...more, failure)
}
