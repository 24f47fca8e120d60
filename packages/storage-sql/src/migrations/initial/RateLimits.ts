/**
 * Buckets of the rate limit, for nodes that share them, in PostgreSQL: not logged, because a lost one is only full
 * again, and with room in each page, so that a request rewrites its row in place.
 */
export const postgresRateLimits: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE rate_limit_bucket (
    name text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    level bigint NOT NULL,
    allowed boolean NOT NULL
  ) WITH (fillfactor = 50)`
]
