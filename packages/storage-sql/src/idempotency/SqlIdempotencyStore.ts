import {
  type IdempotencyScope,
  type IdempotencyState,
  IdempotencyStore,
  type IdempotencyTimes
} from "@frontdesk/core/idempotency/IdempotencyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SweepStatement from "../storage/SweepStatement.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const KeyRow = Schema.Struct({
  fingerprint: Schema.String,
  status: Schema.NullOr(Schema.Int),
  body: Schema.NullOr(Schema.String),
  executed: Column.Flag,
  takenAt: Column.Time
})

const StartedRow = Schema.Struct({ token: Schema.String })

const where = "account_id = ?1 AND method = ?2 AND path = ?3 AND name = ?4"

const params = ({ accountId, key, method, path }: IdempotencyScope) => [accountId, method, path, key]

const stateOf = (row: typeof KeyRow.Type, given: string, { takeOverBefore }: IdempotencyTimes): IdempotencyState => {
  const { body, executed, fingerprint, status, takenAt } = row
  if (fingerprint !== given) return { _tag: "Reused" }
  if (executed) {
    const isAbandoned = takeOverBefore !== null && DateTime.isLessThan(takenAt, takeOverBefore)
    return { _tag: isAbandoned ? "Executed" : "Running" }
  }
  return status === null || body === null ? { _tag: "Running" } : { _tag: "Answered", answer: { status, body } }
}

/** Keys that are expired at `?1`. */
const expired = {
  table: "idempotency_key",
  key: ["account_id", "method", "path", "name"],
  where: "expires_at <= ?1",
  order: "expires_at",
  sized: ["body"]
}

/** The `IdempotencyStore` in a SQL database. */
export const layer: Layer.Layer<IdempotencyStore, never, Database> = Layer.effect(
  IdempotencyStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const start = database.first("IdempotencyStore.begin", StartedRow)
    const known = database.one("IdempotencyStore.begin", KeyRow)
    const settled = database.run("IdempotencyStore.begin")
    const completed = database.first("IdempotencyStore.complete", Column.Found)
    const marked = database.first("IdempotencyStore.markExecuted", Column.Found)
    const released = database.first("IdempotencyStore.release", Column.Found)

    return IdempotencyStore.of({
      begin: Effect.fnUntraced(function* (scope, fingerprint, { expiresAt, now, takeOverBefore }) {
        // The conflict locks the row even when it is not updated, so it still exists when it is read below.
        const started = yield* start(
          `INSERT INTO idempotency_key (account_id, method, path, name, fingerprint, taken_at, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (account_id, method, path, name) DO UPDATE
            SET fingerprint = excluded.fingerprint, token = excluded.token, status = NULL, body = NULL, executed = FALSE,
              taken_at = excluded.taken_at, expires_at = excluded.expires_at
            WHERE idempotency_key.expires_at <= excluded.taken_at
              OR (idempotency_key.status IS NULL AND NOT idempotency_key.executed
                AND idempotency_key.fingerprint = excluded.fingerprint AND idempotency_key.taken_at < ?8)
            RETURNING token`,
          [
            ...params(scope),
            fingerprint,
            dialect.time(now),
            dialect.time(expiresAt),
            takeOverBefore === null ? null : dialect.time(takeOverBefore)
          ]
        )
        if (Option.isSome(started)) return { _tag: "Started", token: started.value.token } as const
        if (takeOverBefore !== null) {
          // An old execution that stored an answer when it was marked as executed is now complete. This request
          // returns that answer, so the old execution must not replace it.
          yield* settled(
            `UPDATE idempotency_key SET executed = FALSE
              WHERE ${where} AND executed AND status IS NOT NULL AND taken_at < ?5`,
            [...params(scope), dialect.time(takeOverBefore)]
          )
        }
        const row = yield* known(
          `SELECT fingerprint, status, body, executed, taken_at FROM idempotency_key WHERE ${where}`,
          params(scope)
        )
        return stateOf(row, fingerprint, { expiresAt, now, takeOverBefore })
      }, database.atomically("IdempotencyStore.begin")),
      markExecuted: (scope, token, answer) =>
        Effect.map(
          marked(
            `UPDATE idempotency_key SET executed = TRUE, status = ?6, body = ?7
              WHERE ${where} AND token = ?5 AND (status IS NULL OR executed)
              RETURNING name`,
            [...params(scope), token, answer?.status ?? null, answer?.body ?? null]
          ),
          Option.isSome
        ),
      complete: (scope, token, { body, status }) =>
        Effect.map(
          completed(
            `UPDATE idempotency_key SET status = ?6, body = ?7, executed = FALSE
              WHERE ${where} AND token = ?5 AND (status IS NULL OR executed)
              RETURNING name`,
            [...params(scope), token, status, body]
          ),
          Option.isSome
        ),
      release: (scope, token) =>
        Effect.map(
          released(
            `DELETE FROM idempotency_key WHERE ${where} AND token = ?5 AND status IS NULL AND NOT executed
              RETURNING name`,
            [...params(scope), token]
          ),
          Option.isSome
        ),
      sweep: SweepStatement.deletion(database, "IdempotencyStore.sweep", expired)
    })
  })
)
