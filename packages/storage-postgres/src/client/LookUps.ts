import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf, type Rows } from "./Connection.ts"

/** A look-up that waits for its answer. */
interface LookUp {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
  readonly answer: (exit: Exit.Exit<Rows, SqlError>) => void
}

/** Lends a session to an effect, which fails when the session is not free or does not answer in time. */
type Lend = (use: (session: PgConnection.PgConnection) => Effect.Effect<void>) => Effect.Effect<void, SqlError>

/** Runs a look-up outside a transaction, and returns its rows. */
export type LookUps = (sql: string, params: ReadonlyArray<unknown>) => Effect.Effect<Rows, SqlError>

/** The maximum number of look-ups on one session. */
const maxBatch = 32

/**
 * Makes look-ups that share sessions: those of one turn of the event loop are sent together, on one session (D-PG-2).
 *
 * A statement delays those behind it on its session, and none of them can be cancelled. So a look-up must be a `SELECT` of
 * few rows that waits for no lock.
 */
export const make = (lend: Lend): LookUps => {
  let waiting: Array<LookUp> = []

  const send = (batch: ReadonlyArray<LookUp>): void => {
    const asked = lend((session) =>
      Effect.forEach(
        batch,
        ({ answer, params, sql }) => Effect.map(Effect.exit(rowsOf(session, sql, params)), answer),
        { concurrency: "unbounded", discard: true }
      )
    )
    Effect.runFork(asked).addObserver((exit) => {
      // Look-ups that were answered already ignore this.
      if (Exit.isFailure(exit)) for (const { answer } of batch) answer(Exit.failCause(exit.cause))
    })
  }

  const sendAll = (): void => {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += maxBatch) send(all.slice(start, start + maxBatch))
  }

  return (sql, params) =>
    Effect.callback((resume) => {
      // The event loop runs this after it has read all sockets that had requests.
      if (waiting.push({ sql, params, answer: resume }) === 1) setImmediate(sendAll)
    })
}
