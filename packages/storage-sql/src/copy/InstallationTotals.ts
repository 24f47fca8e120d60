import type * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { CopyFailed } from "./CopyError.ts"
import * as CopyDatabase from "./CopyDatabase.ts"
import type { CopyClient } from "./CopyClient.ts"

/** Sums by which an operator recognises an installation. */
export const Sums = Schema.Struct({
  /** The sum of the balances of all accounts, in millionths of a currency unit. */
  balance: Schema.BigIntFromString,
  /** The number of calls that have not ended. */
  running_calls: Schema.BigIntFromString,
  /** The number of calendar events. */
  events: Schema.BigIntFromString,
  /** The number of reminders that have not been sent. */
  pending_reminders: Schema.BigIntFromString,
  /** The number of deliveries that are pending or leased. */
  pending_deliveries: Schema.BigIntFromString
})

/** Sums by which an operator recognises an installation. */
export type Sums = typeof Sums.Type

const text = `SELECT
  (SELECT CAST(coalesce(sum(deposits - charges - holds), 0) AS text) FROM account) AS balance,
  (SELECT CAST(count(*) AS text) FROM call WHERE status IN ('queued', 'ringing', 'in_progress')) AS running_calls,
  (SELECT CAST(count(*) AS text) FROM calendar_event) AS events,
  (SELECT CAST(count(*) AS text) FROM reminder WHERE NOT is_sent) AS pending_reminders,
  (SELECT CAST(count(*) AS text) FROM webhook_delivery WHERE due_at IS NOT NULL) AS pending_deliveries`

/** Reads the sums of a database. */
export const read = (client: CopyClient): Effect.Effect<Sums, CopyFailed> => CopyDatabase.one(client, Sums, text)

/** Returns the name of the first sum in which two databases differ, or undefined. */
export const difference = (one: Sums, other: Sums): string | undefined =>
  Record.keys(one).find((name) => one[name] !== other[name])
