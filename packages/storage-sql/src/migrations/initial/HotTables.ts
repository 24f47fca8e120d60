/**
 * How PostgreSQL keeps tables whose rows change all the time.
 *
 * The tables of queues lose their front as fast as they grow at the other end, and whoever looks for what is due reads
 * past what is dead: they are vacuumed after some thousand changes, not after a fifth of their rows. Where no changed
 * column is indexed, pages keep room, so that a row changes in its page and in no index (HOT).
 */
export const postgresHotTables: ReadonlyArray<string> = [
  `ALTER TABLE webhook_delivery SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  `ALTER TABLE outbox_task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`,
  `ALTER TABLE idempotency_key SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)`,
  `ALTER TABLE webhook SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `ALTER TABLE row_count SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
]

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
