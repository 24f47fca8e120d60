import * as Layer from "effect/Layer"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as PostgresRateLimiter from "@frontdesk/storage-postgres/PostgresRateLimiter"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Provides a limiter on the database with this URL, and the storage below it. */
export const on = (url: string, requests: number, window: Duration.Duration) =>
  PostgresRateLimiter.layer({ requests, window }).pipe(
    Layer.provideMerge(PostgresStorage.layer({ url: Redacted.make(url) }))
  )
