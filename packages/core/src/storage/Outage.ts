import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as LogEvent from "../values/LogEvent.ts"
import { StorageError } from "./StorageError.ts"

/** How long no call may fail before the storage is checked again, and how often it is checked. */
const quiet = Duration.seconds(5)

/** After this time the storage is checked although calls still fail: those may fail for a reason of their own. */
const maxQuietWait = Duration.minutes(1)

/** An outage that was reported and is not over. Times are milliseconds of the monotonic clock. */
interface Present {
  readonly since: number
  failures: number
  lastFailureAt: number
}

/**
 * Reports an outage of a storage in the log: once when it begins, with its reason, and once when it is over, with its length
 * and the number of failed calls.
 *
 * An adapter that uses it runs every call of its client through `watch`. The errors of an outage are then marked, and
 * {@link log} writes them at debug level. Without it each failure is logged where it happens.
 */
export interface Outage {
  /** Runs a call to the storage, and reports an outage when the call fails because of one. */
  readonly watch: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

// The mark is a property of the error, so that it goes wherever the error goes and this module stores nothing. It is not
// enumerable: the error prints and compares as before.
const reported = Symbol.for("@frontdesk/core/storage/Outage/reported")

const mark = (error: unknown): void => {
  if (typeof error === "object" && error !== null) Reflect.defineProperty(error, reported, { value: true })
}

/**
 * Makes the watch over one storage. Its state lives as long as the scope.
 *
 * @param options.storage the name of the storage in the log, without a secret
 * @param options.isPossible whether an outage may have caused a failure; during an outage every such failure counts to it
 * @param options.reasonOf why an outage has begun: nothing can be reached or written. Undefined when the failure has another
 *   cause
 * @param options.isOver whether everything can be reached and written again
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
      now() - outage.lastFailureAt >= Duration.toMillis(quiet) ||
      now() - outage.since >= Duration.toMillis(maxQuietWait)
    do yield* Effect.sleep(quiet)
    // A check that breaks counts as failed, and is made again: no other code ends the outage.
    while (!(mayBeOver() && (yield* Effect.catchDefect(options.isOver, () => Effect.succeed(false)))))
    present = undefined
    overAt = now()
    const seconds = ((outage.lastFailureAt - outage.since) / 1_000).toFixed(1)
    const calls = outage.failures === 1 ? "1 call" : `${outage.failures} calls`
    yield* Effect.logInfo(
      `${options.storage} is available again, after ${seconds} seconds in which ${calls} failed`
    ).pipe(LogEvent.annotate("storage.available"))
  })

  const begin = Effect.fnUntraced(function* (reason: string) {
    present = { since: now(), failures: 0, lastFailureAt: now() }
    yield* Effect.forkIn(end(present), scope)
    yield* Effect.logError(
      `${options.storage} is unavailable: ${reason}. What fails of it is logged at debug level until it is available again`
    ).pipe(LogEvent.annotate("storage.unavailable"))
  })

  const failed = Effect.fnUntraced(function* (error: unknown, startedAt: number) {
    // A call that began during an outage may fail after its end.
    const isKnown = () => present !== undefined || startedAt <= overAt
    const reason = isKnown() ? undefined : yield* options.reasonOf(error)
    if (reason !== undefined && !isKnown()) yield* begin(reason)
    if (!isKnown()) return
    mark(error)
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

/** Whether an error comes from an outage that its storage has reported. */
const isReportedError = (error: unknown): boolean => {
  const origin = error instanceof StorageError ? error.cause : error
  return typeof origin === "object" && origin !== null && Object.hasOwn(origin, reported)
}

/** Whether a failure, or every failure in a cause, comes from an outage that its storage has reported. */
export const isReported = (failure: unknown): boolean => {
  if (!Cause.isCause(failure)) return isReportedError(failure)
  return (
    failure.reasons.length > 0 &&
    failure.reasons.every((reason) =>
      Cause.isFailReason(reason)
        ? isReportedError(reason.error)
        : Cause.isDieReason(reason)
          ? isReportedError(reason.defect)
          : false
    )
  )
}

/**
 * Logs that something failed, with the error or cause. A failure that comes from a reported outage is one line at debug
 * level.
 */
export const log = (
  level: LogLevel.Severity,
  message: string,
  failure: unknown,
  details?: Readonly<Record<string, unknown>>
): Effect.Effect<void> => {
  const more = details === undefined ? [] : [details]
  return isReported(failure)
    ? Effect.logDebug(`${message}: the storage is unavailable`, ...more)
    : Effect.logWithLevel(level)(message, ...more, failure)
}

/** Logs what an effect fails or dies of, as {@link log} does, and then succeeds. */
export const survive =
  (level: LogLevel.Severity, message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, never, R> => {
    const survived = (failure: unknown) => log(level, message, failure)
    return effect.pipe(Effect.catch(survived), Effect.catchDefect(survived))
  }
