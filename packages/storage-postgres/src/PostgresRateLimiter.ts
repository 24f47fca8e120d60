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

/** How long a request waits for its bucket. Then the request usually passes: see {@link layer}. */
const bucketTimeout = Duration.seconds(1)

/**
 * Returns the expression for the current level of a bucket. Levels are counted in parts of a request. Each millisecond
 * adds `rate` parts.
 */
const level = (now: string, full: string, rate: string): string =>
  `LEAST(${full}, bucket.level + GREATEST(0, ${now} - bucket.at) * ${rate})`

const before = level("$2", "$3", "$4")

/**
 * Takes the cost of a request from a bucket. Parameters: the bucket; the time in milliseconds; the level of a full
 * bucket, the parts that a millisecond adds, and the price of the request in parts; and the window in milliseconds.
 *
 * The time of a bucket does not go back, so that nodes with slightly different clocks do not fill a bucket twice. A
 * stored time that is more than a window ahead is replaced, because it was wrong.
 */
const consumeText = `INSERT INTO rate_limit_bucket AS bucket (name, at, level, allowed)
  VALUES ($1, $2, CAST($3 AS bigint) - CAST($5 AS bigint), TRUE)
  ON CONFLICT (name) DO UPDATE SET
    at = CASE WHEN bucket.at - $2 > $6 THEN $2 ELSE GREATEST(bucket.at, $2) END,
    level = ${before} - CASE WHEN ${before} >= $5 THEN $5 ELSE 0 END,
    allowed = ${before} >= $5
  RETURNING level, allowed`

/**
 * Deletes full buckets, which have the same effect as none, and skips those that are in use. Parameters: the time, the
 * level of a full bucket, the parts that a millisecond adds, and how many are deleted at most.
 */
const sweepText = `DELETE FROM rate_limit_bucket WHERE name IN (
    SELECT name FROM rate_limit_bucket AS bucket WHERE ${level("$1", "$2", "$3")} >= $2 LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING name`

const sweepBatch = 1_000

/**
 * Provides token buckets that all nodes on a database share (D-PG-23). A request costs one statement at most. A sweep
 * deletes the rows of buckets that are full again. The table is not logged, so after a crash of the database every
 * bucket is full.
 *
 * A request whose bucket cannot be reached within a second passes. The handler, which uses the same database, will
 * report the outage. A refusal would be wrong, because the client has not sent too many requests. An exception is a
 * bucket that refused other requests while this one waited, because a flood makes its own bucket slow. A request on a
 * bucket that is known to be too low is refused without a statement.
 */
export const layer = (limit: RateLimit): Layer.Layer<RateLimiter, never, SqlClient> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const sql = (yield* SqlClient).withoutTransforms()
      // Same units as in the memory of a process: a full bucket has `requests` times the window, and a request costs
      // the window.
      const windowMillis = Duration.toMillis(limit.window)
      const full = fullLevel(limit)

      /** The last refusal of each bucket: its level, when the request was sent, and when the answer came. */
      const refusals = new Map<string, { readonly level: number; readonly askedAt: number; readonly at: number }>()

      /** Returns the refusal of a bucket that cannot have enough yet, or undefined when the database has to decide. */
      const refusedAgain = (name: string, price: number, now: number) => {
        const last = refusals.get(name)
        if (last === undefined) return undefined
        // Other requests can only have lowered the level since. This is the maximum that it can be.
        const maxLevel = Math.min(full, last.level + (now - last.askedAt) * limit.requests)
        const decision = decide(limit, false, maxLevel, price)
        // A reset more than a window ahead comes from a clock that was wrong.
        return maxLevel < price && decision.resetMillis <= windowMillis
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
          Effect.andThen(
            Outage.log(
              "Warn",
              "Full rate limit buckets could not be deleted. It is tried again after a window.",
              cause
            ),
            Effect.sleep(limit.window)
          )
        )
      )
      yield* Effect.sleep(limit.window).pipe(
        Effect.andThen(Effect.forever(sweep)),
        Effect.provideService(CurrentWorkload, "worker"),
        Effect.forkScoped
      )

      let isReached = true
      /** Logs a warning once until a bucket is reached again. Otherwise every request would log one. */
      const missed = (cause: Cause.Cause<unknown>) => {
        const level = isReached ? "Warn" : "Debug"
        isReached = false
        return Outage.log(level, "Rate limiting is suspended: the bucket store is unreachable", cause)
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
            Effect.timeout(bucketTimeout),
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
