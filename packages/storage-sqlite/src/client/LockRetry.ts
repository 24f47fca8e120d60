import * as ExternalWait from "@frontdesk/core/storage/ExternalWait"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { classifySqliteError, ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"

const BUSY = 5
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
const BUSY_SNAPSHOT = 517
const UNIQUE = 2067
const PRIMARY_KEY = 1555
const ROW_ID = 2579

/** The pauses between attempts in milliseconds. The last one repeats. */
const pauses = [1, 2, 5, 10]

/**
 * Runs a synchronous call of SQLite, and waits up to `timeout` milliseconds for a lock of another connection.
 *
 * The busy timeout of SQLite itself would sleep inside the call. It would block the event loop, and with it the fiber
 * of this process that has the lock. The pauses are real timers, because the lock belongs to a connection or process
 * that does not follow a test clock.
 *
 * A transaction that read before another transaction wrote can never write (`SQLITE_BUSY_SNAPSHOT`). It is not retried.
 */
export const attempt = <A>(run: () => A, timeout: number): Effect.Effect<A, SqlError> => {
  try {
    return Effect.succeed(run())
  } catch (cause) {
    return recover(cause, run, timeout)
  }
}

/** Returns what {@link attempt} returns after the first call of `run` has thrown `cause`. */
export const recover = <A>(cause: unknown, run: () => A, timeout: number): Effect.Effect<A, SqlError> =>
  isBusy(cause) && timeout > 0 ? ExternalWait.around(retry(run, timeout)) : Effect.fail(toSqlError(cause))

const retry = <A>(run: () => A, timeout: number): Effect.Effect<A, SqlError> =>
  Effect.callback((resume) => {
    const deadline = performance.now() + timeout
    let count = 0
    const again = () => {
      try {
        resume(Effect.succeed(run()))
      } catch (cause) {
        if (isBusy(cause) && performance.now() < deadline) {
          timer = later()
        } else {
          resume(Effect.fail(toSqlError(cause)))
        }
      }
    }
    const later = () => setTimeout(again, pauses[Math.min(count++, pauses.length - 1)])
    let timer = later()
    return Effect.sync(() => clearTimeout(timer))
  })

const isBusy = (cause: unknown): boolean => {
  const code = resultCode(cause)
  return code !== undefined && (code & 0xff) === BUSY && code !== BUSY_SNAPSHOT
}

/**
 * Returns an error of `node:sqlite` as a typed `SqlError`.
 *
 * The classifier of effect reads the result code of SQLite from `errno`, but Node stores it in `errcode`. As in
 * PostgreSQL, a second row with the same primary key becomes a unique violation. A full disk becomes a
 * `ConnectionError`.
 */
export const toSqlError = (cause: unknown): SqlError => {
  const code = resultCode(cause)
  if (code !== undefined && cause instanceof Error && !("errno" in cause)) {
    Object.assign(cause, { errno: code === PRIMARY_KEY || code === ROW_ID ? UNIQUE : code })
  }
  const message = cause instanceof Error ? cause.message : "SQLite failed"
  const details = { message, operation: "execute" }
  return new SqlError({
    reason: isOfDisk(code) ? new ConnectionError({ ...details, cause }) : classifySqliteError(cause, details)
  })
}

/** Returns whether the disk is full or failing. The statement is correct, and may succeed later. */
const isOfDisk = (code: number | undefined): boolean =>
  code !== undefined && [IO_ERROR, FULL, CANNOT_OPEN].includes(code & 0xff)

/** Returns whether a call failed because of the disk, so that all calls fail, and not because of the statement. */
export const isDiskError = (error: unknown): error is SqlError =>
  isSqlError(error) && error.reason._tag === "ConnectionError"

const resultCode = (cause: unknown): number | undefined =>
  hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : undefined
