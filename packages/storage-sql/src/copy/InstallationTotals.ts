import type * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { CopyFailed } from "./CopyError.ts"
import * as CopyDatabase from "./CopyDatabase.ts"
import type { Side } from "./CopySide.ts"

/** What an operator knows an installation by. */
export const Sums = Schema.Struct({
  /** The balances of all accounts together, in millionths. */
  balance: Schema.BigIntFromString,
  /** Calls that are not over. */
  running_calls: Schema.BigIntFromString,
  /** Calendar events. */
  events: Schema.BigIntFromString,
  /** Reminders that are to be sent. */
  pending_reminders: Schema.BigIntFromString,
  /** Deliveries of webhooks that are to be made. */
  pending_deliveries: Schema.BigIntFromString
})

/** What an operator knows an installation by. */
export type Sums = typeof Sums.Type

const text = `SELECT
  (SELECT CAST(coalesce(sum(deposits - charges - holds), 0) AS text) FROM account) AS balance,
  (SELECT CAST(count(*) AS text) FROM call WHERE status IN ('queued', 'ringing', 'in_progress')) AS running_calls,
  (SELECT CAST(count(*) AS text) FROM calendar_event) AS events,
  (SELECT CAST(count(*) AS text) FROM reminder WHERE NOT is_sent) AS pending_reminders,
  (SELECT CAST(count(*) AS text) FROM webhook_delivery WHERE due_at IS NOT NULL) AS pending_deliveries`

/** Adds up what a database holds. */
export const read = (side: Side): Effect.Effect<Sums, CopyFailed> => CopyDatabase.one(side, Sums, text)

/** The name of the first sum that two databases differ in. */
export const difference = (one: Sums, other: Sums): string | undefined =>
  Record.keys(one).find((name) => one[name] !== other[name])
