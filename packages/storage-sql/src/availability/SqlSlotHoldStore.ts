import { AccountId } from "@frontdesk/core/access/Account"
import { type SlotHold, SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"

const HoldRow = Schema.Struct({
  accountId: AccountId,
  holder: SlotHolder,
  startTime: Column.Time,
  endTime: Column.Time,
  expiresAt: Column.Time
})

const TimeRow = Schema.Struct({ startTime: Column.Time, endTime: Column.Time })

/** Holds that are expired at `?1`. The index `slot_hold_expired` lists all holds by their expiry. */
const expired = {
  table: "slot_hold",
  key: ["id"],
  where: "expires_at <= ?1",
  order: "expires_at, id",
  sized: []
}

const keyOf = (dialect: Dialect, { accountId, endTime, holder, startTime }: Omit<SlotHold, "expiresAt">) => [
  accountId,
  holder,
  dialect.time(startTime),
  dialect.time(endTime)
]

/** The `SlotHoldStore` in a SQL database. */
export const layer: Layer.Layer<SlotHoldStore, never, Database> = Layer.effect(
  SlotHoldStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const placed = database.send("SlotHoldStore.place")
    const held = database.all("SlotHoldStore.ofHolder", HoldRow)
    const busy = database.all("SlotHoldStore.busy", TimeRow)
    const released = database.send("SlotHoldStore.release")

    return SlotHoldStore.of({
      place: (hold) =>
        placed(
          `INSERT INTO slot_hold (account_id, holder, start_time, end_time, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (account_id, holder, start_time, end_time) DO UPDATE SET expires_at = excluded.expires_at`,
          [...keyOf(dialect, hold), dialect.time(hold.expiresAt)]
        ),
      ofHolder: (accountId, holder, now) =>
        held(
          `SELECT account_id, holder, start_time, end_time, expires_at FROM slot_hold
            WHERE account_id = ?1 AND holder = ?2 AND expires_at > ?3 ORDER BY start_time, end_time`,
          [accountId, holder, dialect.time(now)]
        ),
      busy: (accountId, from, until, now, except) =>
        Effect.map(
          busy(
            `SELECT start_time, end_time FROM slot_hold
              WHERE account_id = ?1 AND expires_at > ?2 AND start_time < ?3 AND end_time > ?4 AND holder <> ?5
              ORDER BY start_time, end_time`,
            [
              accountId,
              dialect.time(now),
              dialect.time(until),
              dialect.time(from),
              // No holder has an empty name.
              Option.getOrElse(except, () => "")
            ]
          ),
          (rows) =>
            rows.map(({ endTime, startTime }) => ({
              start: startTime.epochMilliseconds,
              end: endTime.epochMilliseconds
            }))
        ),
      release: (hold) =>
        released(
          "DELETE FROM slot_hold WHERE account_id = ?1 AND holder = ?2 AND start_time = ?3 AND end_time = ?4",
          keyOf(dialect, hold)
        ),
      sweep: SweepStatement.deletion(database, "SlotHoldStore.sweep", expired)
    })
  })
)
