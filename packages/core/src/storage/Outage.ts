import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { StorageError } from "./StorageError.ts"

/** Without a failure for so long an outage may be over, which is looked for as often. */
const quiet = Duration.seconds(5)

/** After so long it may be over all the same: what fails then and again may have a reason of its own. */
const longest = Duration.minutes(1)

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
  /** Runs a call to the storage, and sees whether it fails of an outage. */
  readonly watch: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The failures of outages that were said. */
const said = new WeakSet<object>()

/**
 * Makes the watch over one storage.
 *
 * `storage` names it for whoever reads the log, without a secret. `isPossible` tells which failures an outage may have
 * caused; during one they all count as such. Before one, `reasonOf` finds out whether it has begun (nothing can be
 * reached or written, whoever asks), and why; it answers `undefined` when something else was the cause. `isOver` looks
 * whether everything can be reached and written again.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly storage: string
  readonly isPossible: (error: unknown) => boolean
  readonly reasonOf: (error: unknown) => Effect.Effect<string | undefined>
  readonly isOver: Effect.Effect<boolean>
}): Effect.fn.Return<Outage, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  let present: Present | undefined
  let overAt = -Infinity

  const end = Effect.fnUntraced(function* (outage: Present) {
    const mayBeOver = () =>
      now() - outage.lastFailureAt >= Duration.toMillis(quiet) || now() - outage.since >= Duration.toMillis(longest)
    do yield* Effect.sleep(quiet)
    // A look that breaks has not seen that it is over; nobody else would look.
    while (!(mayBeOver() && (yield* Effect.catchDefect(options.isOver, () => Effect.succeed(false)))))
    present = undefined
    overAt = now()
    const seconds = ((outage.lastFailureAt - outage.since) / 1_000).toFixed(1)
    const calls = outage.failures === 1 ? "1 call" : `${outage.failures} calls`
    yield* Effect.logInfo(`${options.storage} is available again, after ${seconds} seconds in which ${calls} failed`)
  })

  const begin = Effect.fnUntraced(function* (reason: string) {
    present = { since: now(), failures: 0, lastFailureAt: now() }
    yield* Effect.forkIn(end(present), scope)
    yield* Effect.logError(
      `${options.storage} is unavailable: ${reason}. What fails of it is logged at debug level until it is available again`
    )
  })

  const failed = Effect.fnUntraced(function* (error: unknown, startedAt: number) {
    // What was begun during an outage may fail when it is over.
    const isSaid = () => present !== undefined || startedAt <= overAt
    const reason = isSaid() ? undefined : yield* options.reasonOf(error)
    if (reason !== undefined && !isSaid()) yield* begin(reason)
    if (!isSaid()) return
    if (typeof error === "object" && error !== null) said.add(error)
    if (present === undefined) return
    present.failures += 1
    present.lastFailureAt = now()
  })

  return {
    watch: (call) =>
      Effect.suspend(() => {
        const startedAt = now()
        return Effect.onError(call, (cause) => {
          const error = Cause.findErrorOption(cause)
          return Option.isSome(error) && options.isPossible(error.value) ? failed(error.value, startedAt) : Effect.void
        })
      })
  }
})

/** Whether an error comes of an outage that its storage has said. */
const isSaidError = (error: unknown): boolean => {
  const origin = error instanceof StorageError ? error.cause : error
  return typeof origin === "object" && origin !== null && said.has(origin)
}

/** Whether a failure, or everything in a cause, comes of an outage that its storage has said. */
export const isSaid = (failure: unknown): boolean => {
  if (!Cause.isCause(failure)) return isSaidError(failure)
  return (
    failure.reasons.length > 0 &&
    failure.reasons.every((reason) =>
      Cause.isFailReason(reason)
        ? isSaidError(reason.error)
        : Cause.isDieReason(reason)
          ? isSaidError(reason.defect)
          : false
    )
  )
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

/** Ends whatever an effect fails or dies of with a line in the log, as {@link log} writes it. */
export const survive =
  (level: LogLevel.Severity, message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, never, R> => {
    const survived = (failure: unknown) => log(level, message, failure)
    return effect.pipe(Effect.catch(survived), Effect.catchDefect(survived))
  }
