import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as LogEvent from "../values/LogEvent.ts"
import { StorageError } from "./StorageError.ts"

/** The time without a failed call after which the storage is checked, and the pause between two checks. */
const quiet = Duration.seconds(5)

/** After this time the storage is checked although calls still fail, because those calls may fail for another reason. */
const maxQuietWait = Duration.minutes(1)

/** An outage that was reported and has not ended. Times are milliseconds of the monotonic clock. */
interface PresentOutage {
  readonly since: number
  failures: number
  lastFailureAt: number
}

/**
 * Reports the outages of a storage in the log. It logs the beginning of each with its reason, and the end with its length
 * and the number of failed calls.
 *
 * An adapter runs every call of its client through `watch`. This marks the errors of an outage, and {@link log} writes
 * marked errors at debug level only. Otherwise an outage would fill the log with one line for each call.
 */
export interface Outage {
  /** Runs a call to the storage, and reports an outage when the call fails because of one. */
  readonly watch: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

// The mark is a property of the error, so that it stays with the error when other code wraps or stores the error. It is not
// enumerable, so that it changes neither how an error prints nor how it compares.
const reported = Symbol.for("@frontdesk/core/storage/Outage/reported")

const mark = (error: unknown): void => {
  if (typeof error === "object" && error !== null) Reflect.defineProperty(error, reported, { value: true })
}

/**
 * Makes the reporter for one storage. Its state lives as long as the scope.
 *
 * @param options.storage the name of the storage in the log; it must not contain a secret
 * @param options.isPossible returns whether an outage may have caused an error; during an outage such an error belongs to
 *   it
 * @param options.reasonOf returns why an outage has begun, or undefined when the error has another cause
 * @param options.isOver returns whether the storage can be read and written again
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
  let present: PresentOutage | undefined
  let overAt = -Infinity

  const end = Effect.fnUntraced(function* (outage: PresentOutage) {
    const mayBeOver = () =>
      now() - outage.lastFailureAt >= Duration.toMillis(quiet) ||
      now() - outage.since >= Duration.toMillis(maxQuietWait)
    do yield* Effect.sleep(quiet)
    // A check that throws counts as failed and is repeated, because nothing else would end the outage.
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
      `${options.storage} is unavailable: ${reason}. Until it is available again, failures because of it are logged at debug level`
    ).pipe(LogEvent.annotate("storage.unavailable"))
  })

  const failed = Effect.fnUntraced(function* (error: unknown, startedAt: number) {
    // A call that began during an outage may fail after the outage has ended. It must not begin a new outage.
    const isOfOutage = () => present !== undefined || startedAt <= overAt
    const reason = isOfOutage() ? undefined : yield* options.reasonOf(error)
    if (reason !== undefined && !isOfOutage()) yield* begin(reason)
    if (!isOfOutage()) return
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

/** Returns whether an error comes from an outage that its storage has reported. */
const isReportedError = (error: unknown): boolean => {
  const origin = error instanceof StorageError ? error.cause : error
  return typeof origin === "object" && origin !== null && Object.hasOwn(origin, reported)
}

/** Returns whether an error, or every error and defect of a cause, comes from an outage that its storage has reported. */
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
 * Logs a message with an error or a cause. When that comes from a reported outage, it logs one line at debug level instead,
 * without the error.
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

/** Returns an effect that logs its failure or defect as {@link log} does, and then succeeds. An interruption passes. */
export const survive =
  (level: LogLevel.Severity, message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, never, R> => {
    const survived = (failure: unknown) => log(level, message, failure)
    return effect.pipe(Effect.catch(survived), Effect.catchDefect(survived))
  }
