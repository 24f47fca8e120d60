import { describe, expect, it } from "@effect/vitest"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { stepLimit } from "@frontdesk/core/background/Steps"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

/** Returns a table expression `t` whose column `g` has the numbers from 1 to `total`. */
const numbersTo = (total: number) =>
  Effect.map(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () => `generate_series(1, ${total}) AS t(g)`,
      orElse: () =>
        `(WITH RECURSIVE t(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM t WHERE g < ${total}) SELECT g FROM t) AS t`
    })
  )

/** Checks that a sweep deletes `total` expired rows, and that each step stays within its limit. */
export const sweepSteps = (total: number): void => {
  describe.each(databases)("sweeps of large tables, in %s", (_, storage) => {
    it.live(
      `${total.toLocaleString("en")} expired idempotency keys are deleted, at most 100 in a step`,
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const store = yield* IdempotencyStore
          const account = yield* Samples.makeAccount()
          yield* sql.unsafe(`INSERT INTO idempotency_key
            (account_id, method, path, name, fingerprint, status, body, token, taken_at, expires_at)
          SELECT ${account.id}, 'POST', '/', 'key ' || g, '', 201, 'x', 'token', ${yield* old}, ${yield* old}
          FROM ${yield* numbersTo(total)}`)
          const steps: Array<number> = []
          do steps.push(yield* store.sweep(Samples.now, stepLimit))
          while (steps.at(-1) !== 0)
          expect(Math.max(...steps)).toBe(100)
          expect(steps.reduce((sum, count) => sum + count, 0)).toBe(total)
        }).pipe(Effect.provide(storage)),
      60_000
    )
  })
}

/** Returns a time in the past as a literal of the database. */
const old = Effect.map(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({ pg: () => "TIMESTAMPTZ '2020-01-01T00:00:00Z'", orElse: () => "1577836800000" })
)
