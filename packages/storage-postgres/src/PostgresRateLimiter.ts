import { decide, fullLevel, priceOf, type RateLimit, RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Outage from "@frontdesk/core/storage/Outage"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import { RecentMap } from "@frontdesk/core/values/RecentMap"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as BucketStatements from "./rate-limit/BucketStatements.ts"
import * as LeasedBucket from "./rate-limit/LeasedBucket.ts"

const Row = Schema.Struct({ level: Schema.BigInt, taken: Schema.BigInt })

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Row]))

/** How long a request waits for its bucket. Then the request usually passes: see {@link layer}. */
const bucketTimeout = Duration.seconds(1)

const sweepBatch = 1_000

/** The maximum number of buckets that a node remembers. A bucket that it forgets costs a statement, and loses its lease. */
const maxBuckets = 100_000

/**
 * Provides token buckets that all nodes on a database share (D-PG-23). A sweep deletes the rows of buckets that are full
 * again. The table is not logged, so after a crash of the database every bucket is full.
 *
 * A request costs one statement at most. A node that often uses a bucket leases a part of it with the statement, and
 * decides about the next requests without the database (D-PG-30). Requests of one bucket wait while the node has a
 * statement about it under way. A request on a bucket that is known to be too low is refused without a statement.
 *
 * A request whose bucket cannot be reached within a second passes. The handler, which uses the same database, will
 * report the outage. A refusal would be wrong, because the client has not sent too many requests. An exception is a
 * bucket that became too low while this request waited, because a flood makes its own bucket slow.
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
      const buckets = new RecentMap<string, LeasedBucket.LeasedBucket>(maxBuckets)

      const find = (name: string, now: number): LeasedBucket.LeasedBucket => {
        const known = buckets.get(name)
        if (known !== undefined) return known
        const made = LeasedBucket.make(limit, now)
        buckets.set(name, made)
        return made
      }

      let isReached = true
      /** Logs a warning once until a bucket is reached again. Otherwise every request would log one. */
      const missed = (cause: Cause.Cause<unknown>) => {
        const level = isReached ? "Warn" : "Debug"
        isReached = false
        return Outage.log(level, "Rate limiting is suspended: the bucket store is unreachable", cause)
      }

      /** Sends the statement about a bucket, and stores what its answer says. */
      const send = Effect.fnUntraced(function* (
        name: string,
        bucket: LeasedBucket.LeasedBucket,
        price: number,
        lease: number,
        now: number
      ) {
        const given = LeasedBucket.giveBack(limit, bucket, now)
        const { exchange } = BucketStatements
        const params = [name, now, full, limit.requests, price, windowMillis, given, lease, LeasedBucket.leaseShare]
        const [row] = yield* decode(yield* sql.unsafe(exchange, params))
        const taken = Number(row.taken)
        const allowed = taken >= price
        LeasedBucket.answered(bucket, Number(row.level), allowed ? taken - price : 0, yield* Clock.currentTimeMillis)
        isReached = true
        return decide(limit, allowed, bucket.available, price)
      })

      /**
       * Gives the lease back, and takes the price of a request and the next lease if the bucket has enough. While another
       * statement about the bucket is under way, waits for its end and returns undefined.
       */
      const exchange = (name: string, bucket: LeasedBucket.LeasedBucket, price: number, lease: number) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            if (bucket.statement !== null) return Effect.asVoid(restore(Deferred.await(bucket.statement)))
            const ended = Deferred.makeUnsafe<void>()
            bucket.statement = ended
            return Effect.ensuring(
              restore(send(name, bucket, price, lease, now)),
              Effect.sync(() => {
                bucket.statement = null
                Deferred.doneUnsafe(ended, Effect.void)
              })
            )
          })
        )

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const [name, { askedAt }] of buckets) if (Math.abs(now - askedAt) > windowMillis) buckets.delete(name)
        const swept = yield* sql.unsafe(BucketStatements.sweep, [now, full, limit.requests, sweepBatch])
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

      /** Gives the leases back that have expired and whose buckets this node has not used since. */
      const giveBackExpired = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const [name, bucket] of buckets) {
          if (!LeasedBucket.hasExpired(bucket, now)) continue
          yield* Effect.catchCause(exchange(name, bucket, 0, 0), (cause) =>
            Outage.log("Debug", "The lease of a rate limit bucket could not be given back", cause)
          )
        }
      })

      const inBackground = <E, R>(work: Effect.Effect<void, E, R>, delay: Duration.Input) =>
        Effect.sleep(delay).pipe(
          Effect.andThen(Effect.forever(work)),
          Effect.provideService(CurrentWorkload, "worker"),
          Effect.forkScoped
        )
      yield* inBackground(sweep, limit.window)
      yield* inBackground(
        Effect.andThen(giveBackExpired, Effect.sleep(LeasedBucket.leaseMillis)),
        LeasedBucket.leaseMillis
      )

      /** Decides about a request that the node cannot decide alone. */
      const consume = Effect.fnUntraced(function* (name: string, bucket: LeasedBucket.LeasedBucket, price: number) {
        while (true) {
          const decision = yield* exchange(name, bucket, price, LeasedBucket.wanted(limit, bucket))
          if (decision !== undefined) return decision
          const local = LeasedBucket.decideLocally(limit, bucket, price, yield* Clock.currentTimeMillis)
          if (local !== undefined) return local
        }
      })

      return RateLimiter.of({
        consume: Effect.fnUntraced(function* (name, cost) {
          const now = yield* Clock.currentTimeMillis
          const price = priceOf(limit, cost)
          const bucket = find(name, now)
          LeasedBucket.count(bucket, price, now)
          const local = LeasedBucket.decideLocally(limit, bucket, price, now)
          if (local !== undefined) return local
          return yield* consume(name, bucket, price).pipe(
            Effect.timeout(bucketTimeout),
            Effect.catchCause((cause) =>
              Effect.flatMap(Clock.currentTimeMillis, (later) => {
                const wasAnswered = bucket.answeredAt !== null && bucket.answeredAt >= now
                const meanwhile = wasAnswered ? LeasedBucket.decideLocally(limit, bucket, price, later) : undefined
                return meanwhile === undefined ? Effect.as(missed(cause), null) : Effect.succeed(meanwhile)
              })
            )
          )
        })
      })
    })
  )
