/**
 * Returns the expression for the current level of a bucket. Levels are counted in parts of a request. Each millisecond
 * adds `rate` parts.
 */
const level = (now: string, full: string, rate: string): string =>
  `LEAST(${full}, bucket.level + GREATEST(0, ${now} - bucket.at) * ${rate})`

/**
 * Takes the cost of a request and a lease from a bucket, after it has settled the last lease. Returns the level that is
 * left and what was taken, which is 0 for a refusal.
 *
 * The first two parameters are the bucket and the time in milliseconds. Then come the level of a full bucket, the parts
 * that a millisecond adds, and the price of the request in parts. `$6` is the window in milliseconds, which is the price
 * of a request of cost 1. `$7` is given back, or taken too if it is negative, and `$8` is the lease that the node wants. A
 * lease is at most what is left divided by `$9`.
 *
 * A bucket without a row is full. Its first request takes no lease.
 *
 * The time of a bucket does not go back, so that nodes with slightly different clocks do not fill a bucket twice. A
 * stored time that is more than a window ahead is replaced, because it was wrong.
 *
 * Servers of the previous version read `allowed`.
 */
export const exchange = `INSERT INTO rate_limit_bucket AS bucket (name, at, level, allowed, taken)
  VALUES ($1, $2, CAST($3 AS bigint) + LEAST(0, CAST($7 AS bigint)) - CAST($5 AS bigint), TRUE, $5)
  ON CONFLICT (name) DO UPDATE SET (at, level, allowed, taken) = (
    SELECT CASE WHEN bucket.at - $2 > $6 THEN $2 ELSE GREATEST(bucket.at, $2) END,
      stored.level - decided.taken, stored.level >= $5, decided.taken
    FROM (SELECT LEAST($3, ${level("$2", "$3", "$4")} + $7) AS level) AS stored
    CROSS JOIN LATERAL (
      SELECT CASE WHEN stored.level >= $5
        THEN $5 + LEAST($8, (stored.level - $5) / ($6 * $9) * $6) ELSE 0 END AS taken
    ) AS decided
  )
  RETURNING level, taken`

/**
 * Deletes full buckets, which have the same effect as none, and skips those that are in use. Parameters: the time, the
 * level of a full bucket, the parts that a millisecond adds, and how many are deleted at most.
 */
export const sweep = `DELETE FROM rate_limit_bucket WHERE name IN (
    SELECT name FROM rate_limit_bucket AS bucket WHERE ${level("$1", "$2", "$3")} >= $2 LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING name`
