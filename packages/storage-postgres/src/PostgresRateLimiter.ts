import { decide, fullLevel, priceOf, type RateLimit, RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Outage from "@frontdesk/core/storage/Outage"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

const Row = Schema.Struct({ level: Schema.BigInt, allowed: Schema.Boolean })

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Row]))

/** How long a request waits for its bucket. */
const patience = Duration.seconds(1)

/** What is in a bucket now, in parts of a request, of which a millisecond brings `rate`. */
const level = (now: string, full: string, rate: string): string =>
  `LEAST(${full}, bucket.level + GREATEST(0, ${now} - bucket.at) * ${rate})`

const before = level("$2", "$3", "$4")

/**
 * Takes a request. Parameters: the bucket; the time in milliseconds; what a full bucket holds, what a millisecond brings,
 * and what the request takes, in the same parts; and the window in milliseconds.
 *
 * Nodes whose clocks differ by little must not fill a bucket twice, so its time does not go back; unless by more than
 * fills it, for then it was wrong.
 */
const consumeText = `INSERT INTO rate_limit_bucket AS bucket (name, at, level, allowed)
  VALUES ($1, $2, CAST($3 AS bigint) - CAST($5 AS bigint), TRUE)
  ON CONFLICT (name) DO UPDATE SET
    at = CASE WHEN bucket.at - $2 > $6 THEN $2 ELSE GREATEST(bucket.at, $2) END,
    level = ${before} - CASE WHEN ${before} >= $5 THEN $5 ELSE 0 END,
    allowed = ${before} >= $5
  RETURNING level, allowed`

/**
 * Forgets full buckets, which are as good as none, and passes over those that are being taken from. Parameters: the
 * time, what a full bucket holds, what a millisecond brings, and how many are forgotten at most.
 */
const sweepText = `DELETE FROM rate_limit_bucket WHERE name IN (
    SELECT name FROM rate_limit_bucket AS bucket WHERE ${level("$1", "$2", "$3")} >= $2 LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING name`

const sweepBatch = 1_000

/**
 * Token buckets that all nodes on a database share: one statement a request, and no row for who has not asked for a
 * window. The table is not logged, so a crash of the database fills every bucket.
 *
 * A request whose bucket cannot be reached within a second passes: what it asks of the same database will say what is
 * wrong, and nobody is told to slow down who was not too fast. Not so when others of its bucket were refused while it
 * waited: a flood makes its own bucket slow. Nor is the database asked of a bucket that is known to be empty.
 */
export const layer = (limit: RateLimit): Layer.Layer<RateLimiter, never, SqlClient> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const sql = (yield* SqlClient).withoutTransforms()
      // As in the memory of a process: a bucket holds `requests` times the window, a request costs the window.
      const windowMillis = Duration.toMillis(limit.window)
      const full = fullLevel(limit)

      /** What was in the bucket of each name at its last refusal, asked at one time and answered at another. */
      const refusals = new Map<string, { readonly level: number; readonly askedAt: number; readonly at: number }>()

      /** The refusal of a bucket that cannot have enough by now; undefined where the database has to be asked. */
      const refusedAgain = (name: string, price: number, now: number) => {
        const last = refusals.get(name)
        if (last === undefined) return undefined
        // What others have taken since makes it less: this is the most that it can hold.
        const most = Math.min(full, last.level + (now - last.askedAt) * limit.requests)
        const decision = decide(limit, false, most, price)
        // What lies further ahead than any refusal was told by a clock that was wrong.
        return most < price && decision.resetMillis <= windowMillis
          ? { ...decision, remaining: Math.max(0, decision.remaining) }
          : undefined
      }

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const [name, { at }] of refusals) if (Math.abs(now - at) > windowMillis) refusals.delete(name)
        const swept = yield* sql.unsafe(sweepText, [now, full, limit.requests, sweepBatch])
        if (swept.length < sweepBatch) yield* Effect.sleep(limit.window)
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Outage.log("Warn", "full buckets were not forgotten", cause), Effect.sleep(limit.window))
        )
      )
      yield* Effect.sleep(limit.window).pipe(
        Effect.andThen(Effect.forever(sweep)),
        Effect.provideService(CurrentWorkload, "worker"),
        Effect.forkScoped
      )

      let isReached = true
      /** Said once until a bucket is reached again: it would be every request. */
      const missed = (cause: Cause.Cause<unknown>) => {
        const level = isReached ? "Warn" : "Debug"
        isReached = false
        return Outage.log(level, "requests pass unlimited while their buckets are not reached", cause)
      }

      const consume = Effect.fnUntraced(function* (name: string, price: number) {
        const now = yield* Clock.currentTimeMillis
        const rows = yield* sql.unsafe(consumeText, [name, now, full, limit.requests, price, windowMillis])
        const [row] = yield* decode(rows)
        isReached = true
        const level = Number(row.level)
        if (!row.allowed) refusals.set(name, { level, askedAt: now, at: yield* Clock.currentTimeMillis })
        return decide(limit, row.allowed, level, price)
      })
      return RateLimiter.of({
        consume: Effect.fnUntraced(function* (name, cost) {
          const now = yield* Clock.currentTimeMillis
          const price = priceOf(limit, cost)
          const refused = refusedAgain(name, price, now)
          if (refused !== undefined) return refused
          return yield* consume(name, price).pipe(
            Effect.timeout(patience),
            Effect.catchCause((cause) => {
              const meanwhile = refusals.get(name)
              return meanwhile !== undefined && meanwhile.at >= now && meanwhile.level < price
                ? Effect.succeed(decide(limit, false, meanwhile.level, price))
                : Effect.as(missed(cause), null)
            })
          )
        })
      })
    })
  )
