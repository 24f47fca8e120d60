/**
 * Storage parameters of tables in PostgreSQL whose rows change all the time.
 *
 * Queues lose rows at their front as fast as they gain rows at their end, and a query for due rows reads past the dead
 * ones. So these tables are vacuumed long before a fifth of their rows have changed, which is the default. Where no
 * changed column is indexed, pages keep free space, so that an update changes one page and no index (HOT, D-PG-18).
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
 * The buckets of the rate limit in PostgreSQL, for nodes that share them. The table is unlogged, because losing a
 * bucket only makes it full again. Its pages have free space, so that an update stays within its page.
 */
export const postgresRateLimits: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE rate_limit_bucket (
    name text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    level bigint NOT NULL,
    allowed boolean NOT NULL
  ) WITH (fillfactor = 50)`
]
