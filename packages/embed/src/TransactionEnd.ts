import * as Failure from "./failure/Failure.ts"
import type { FrontdeskError } from "./failure/FrontdeskError.ts"
import { member } from "./Foreign.ts"

const setting = "frontdesk.in_transaction"

/**
 * Begins the transaction of a work. The default of the program's database may be to read only. The setting ends with the
 * transaction. `SET` leaves the work free to choose the isolation level, which a query would not.
 */
export const begin = `BEGIN READ WRITE; SET LOCAL ${setting} = 1`

/**
 * Commits the transaction of a work, in one round trip. When the work has ended the transaction, the setting is not a number,
 * so the first statement fails and the second is not executed.
 */
export const commit = `SELECT current_setting('${setting}')::integer; COMMIT`

/** SQLSTATEs of {@link commit} for a setting without a number, and on a connection that never had the setting. */
const settingIsGone: ReadonlySet<unknown> = new Set(["22P02", "42704"])

/** Returns the error for a failure of {@link commit}. */
export const commitFailed = (cause: unknown): FrontdeskError => {
  const state = member(cause, "code")
  if (state === "25P02") return hasFailed(cause)
  // The error of a deferred trigger, which COMMIT runs, has a place.
  return settingIsGone.has(state) && member(cause, "where") === undefined ? endedByWork(cause) : unavailable(cause)
}

const hasFailed = (cause: unknown) =>
  Failure.make(
    {
      code: "server_error",
      message:
        "Nothing was stored, because a statement of the transaction had failed. Its error was caught by the program"
    },
    cause
  )

/** Returns the error of a statement that begins or ends the transaction, or of a pool that gave no connection. */
export const unavailable = (cause: unknown): FrontdeskError =>
  Failure.make(
    { code: "service_unavailable", message: "The database did not begin or commit the transaction. Try again later" },
    cause
  )

const remedy =
  "Remove that statement: frontdesk.transaction commits when the work resolves, and rolls back when it rejects"

/** Returns the error for a work that has ended its transaction. */
export const endedByWork = (cause: unknown): FrontdeskError =>
  Failure.make(
    {
      code: "validation_error",
      message: `The work has ended the transaction with a COMMIT or ROLLBACK of its own, so a part of it may be stored. ${remedy}`
    },
    cause
  )

/** Returns the error for a statement of the work that was not executed, because it would end the transaction. */
export const refused = (): FrontdeskError =>
  Failure.make({
    code: "validation_error",
    message: `The work has sent a statement that ends the transaction, so nothing is stored. ${remedy}`
  })

/** Matches what may stand between the words of a statement. Each text has one match, so that no search takes long. */
const gap = String.raw`(?:[\s;]|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`

/** Matches a statement of PostgreSQL or SQLite that ends the transaction. A rollback to a savepoint does not. */
const ending = new RegExp(
  String.raw`^${gap}(?:COMMIT|END|ABORT|PREPARE${gap}TRANSACTION|ROLLBACK(?!${gap}(?:(?:WORK|TRANSACTION)\b${gap})?TO\b))\b`,
  "i"
)

/** Returns whether a statement would end the transaction in which it is executed. */
export const isEnding = (statement: string): boolean => ending.test(statement)
