import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { realClock } from "@frontdesk/storage-sql/storage/RealClock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { hasProperty } from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** A statement whose rows are not needed. */
export type Command = readonly [sql: string, params: ReadonlyArray<unknown>]

/** How long an interrupted exchange waits for its answers before it cancels the statement that runs, in milliseconds. */
const grace = 10

/** How long an interrupted exchange waits for its answers after it has cancelled a statement, in milliseconds. */
const drainTimeout = 5_000

/** What {@link run} sends, and whom it tells what happened. */
export interface Exchange<A> {
  readonly commands: ReadonlyArray<Command>
  /** The statement that is waited for. */
  readonly last: Effect.Effect<A, SqlError>
  /** Called when a command fails. */
  readonly onFailed: (error: SqlError) => void
  /** Called when the server does not answer after an interruption. */
  readonly onSilent: () => void
}

/**
 * Sends commands and a last statement in one write, and returns the answer of the last statement.
 *
 * The server answers in the order of the statements, so all commands are answered then. Fails with the error of the first
 * command that failed: in a transaction the later statements failed only because of it.
 *
 * When it is interrupted, it waits for the answers, because the next statement of the session would be answered after
 * them. It cancels a statement that takes longer.
 *
 * @param session a session that pipelines, and that no other caller uses
 */
export const run = <A>(
  session: PgConnection.PgConnection,
  { commands, last, onFailed, onSilent }: Exchange<A>
): Effect.Effect<A, SqlError> =>
  Effect.callback<A, SqlError>((resume) => {
    let failure: SqlError | undefined
    const note = (error: SqlError) =>
      Effect.sync(() => {
        failure ??= error
        onFailed(error)
      })
    // The session writes the statements of one turn together, and a fiber runs at once until its statement is queued.
    for (const [sql, params] of commands) Effect.runFork(session.queryValues(sql, params).pipe(Effect.catch(note)))
    const fiber = Effect.runFork(last)
    fiber.addObserver((exit) => resume(failure === undefined ? exit : Effect.fail(failure)))
    return drain(session, fiber, onSilent)
  })

const drain = (
  session: PgConnection.PgConnection,
  fiber: Fiber.Fiber<unknown, unknown>,
  onSilent: () => void
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const ended = Effect.asVoid(Fiber.await(fiber))
    yield* Effect.raceFirst(ended, sleep(grace))
    if (fiber.pollUnsafe() !== undefined) return
    yield* Effect.raceFirst(ended, Effect.andThen(cancel(session), sleep(drainTimeout)))
    if (fiber.pollUnsafe() === undefined) onSilent()
  })

/** Waits by the real clock, because the server does not follow a test clock. */
const sleep = (millis: number): Effect.Effect<void> => realClock.sleep(Duration.millis(millis))

/**
 * Asks the server to cancel the statement that runs. The client's public `interrupt` does nothing on a session that
 * pipelines, because it cannot know that only one caller uses it (D-PG-34).
 */
const cancel = (session: PgConnection.PgConnection): Effect.Effect<void> =>
  hasProperty(session, "cancel") && isRequest(session.cancel) ? session.cancel : Effect.void

const isRequest = (value: unknown): value is Effect.Effect<void> => Effect.isEffect(value)
