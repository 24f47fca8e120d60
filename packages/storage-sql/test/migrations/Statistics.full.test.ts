import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { fold, range, stored } from "@frontdesk/testing/suite/StatisticCounts"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as FilledDatabase from "./FilledDatabase.ts"
import * as OldSchema from "./OldSchema.ts"

const accountOf = (id: number, zone = "UTC") => ({
  id: AccountId.make(id),
  settings: { ...defaultSettings, timeZone: TimeZone.make(zone) }
})

/** Changes the rows of account 1 so that every figure counts, and the states of its deliveries. */
const vary = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  const time = (minutes: number) => dialect.time(Samples.later(minutes))
  yield* sql`UPDATE call SET billing_status = 'charged', initial_charge = 40, final_charge = 2, started_at = ${time(1)},
    ended_at = ${time(4)} WHERE id = 1`
  yield* sql`UPDATE call SET billing_status = 'pending', initial_charge = 40 WHERE id = 2`
  yield* sql`UPDATE calendar_event SET ai_agent_id = 2 WHERE id = 1`
  yield* sql`UPDATE calendar_event SET status = 'cancelled' WHERE id = 2`
  yield* sql`UPDATE calendar_event SET event_type = 'busy' WHERE id = 3`
  yield* sql`UPDATE webhook_delivery SET state = 'delivered' WHERE id <= 600`
  yield* sql`UPDATE webhook_delivery SET state = 'failed' WHERE id > 600 AND id <= 900`
  yield* sql`UPDATE webhook_delivery SET state = 'cancelled' WHERE id > 900 AND id <= 1000`
})

/** The number of deliveries of an account among those with an id up to a number. */
const deliveriesUpTo = (account: number, last: number): number =>
  Array.from({ length: last }, (_, index) => index + 1).filter((id) => FilledDatabase.accountOf(id) === account).length

const day = "2026-03-02"

describe.each(emptyDatabases)("the migration to statistics of a database with rows, on %s", (_, emptyDatabase) => {
  it.live("counts the existing rows once, and later changes from there (D-STAT-9)", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* OldSchema.migrateTo(20)
        yield* FilledDatabase.fill
        yield* OldSchema.migrateTo(32)
        yield* vary
        expect((yield* SqlMigrations.migrate).map(([, name]) => name)).toContain("statistics")
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        const delivered = deliveriesUpTo(1, 600)
        const failed = deliveriesUpTo(1, 900) - delivered
        const own = {
          calls: { calls: 1, answered: 1, minutes: 3, spend: 42 },
          events: { bookings: 1 },
          deliveries: { deliveries: delivered, failures: failed }
        }
        expect(yield* stored(accountOf(1))).toEqual({
          days: { [day]: { ...own.calls, ...own.events, ...own.deliveries } },
          agents: { 2: { ...own.calls, ...own.events }, none: own.deliveries }
        })
        const second = yield* stored(accountOf(2))
        expect(second.agents).toMatchObject({ 3: { calls: 1 }, none: { deliveries: deliveriesUpTo(2, 600) } })
        expect(second.days[day]?.bookings).toBeUndefined()
        expect((yield* stored(accountOf(3))).days[day]?.bookings).toBeUndefined()

        const sql = yield* SqlClient
        yield* sql`UPDATE webhook_delivery SET state = 'pending' WHERE id = 3`
        yield* sql`UPDATE webhook_delivery SET state = 'delivered' WHERE id = 603`
        yield* sql`UPDATE call SET final_charge = 0 WHERE id = 1`
        yield* sql`UPDATE calendar_event SET ai_agent_id = NULL WHERE id = 1`
        const changed = {
          deliveries: { deliveries: delivered, failures: failed - 1 },
          calls: { ...own.calls, spend: 40 }
        }
        const after = {
          days: { [day]: { ...changed.calls, ...own.events, ...changed.deliveries } },
          agents: { 2: changed.calls, none: { ...own.events, ...changed.deliveries } }
        }
        expect(yield* stored(accountOf(1))).toEqual(after)
        while ((yield* fold(accountOf(1), 2)) > 0);
        expect(yield* stored(accountOf(1))).toEqual(after)
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )

  it.live("makes few parts of many rows, in which a zone of any quarter of an hour finds its days (D-STAT-9)", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* OldSchema.migrateTo(20)
        yield* FilledDatabase.fill
        yield* OldSchema.migrateTo(32)
        const sql = yield* SqlClient
        yield* sql`UPDATE webhook_delivery SET state = 'delivered'`
        // A millisecond before midnight in Kathmandu, which is 5:45 ahead.
        const at = ClientDialect.of(sql).time
        yield* sql`UPDATE webhook_event SET created_at = ${at(Samples.at("2026-03-02T18:14:59.999Z"))} WHERE id = 1`
        yield* sql`UPDATE call SET created_at = ${at(Samples.at("2026-03-02T18:15:00.000Z"))} WHERE id = 1`
        yield* SqlMigrations.migrate
        const parts = yield* sql<{ count: number | bigint }>`SELECT count(*) AS count FROM statistic_part`
        expect(Number(parts[0]?.count)).toBeLessThan(15)
      }).pipe(Effect.provide(client))
      const { days } = yield* Effect.provide(stored(accountOf(1, "Asia/Kathmandu")), storage)
      expect(days["2026-03-03"]).toEqual({ calls: 1 })
      expect(days["2026-03-02"]).toMatchObject({ bookings: 1 })
    }).pipe(Effect.scoped)
  )
})

it("the range of the tests has the day of the rows", () => {
  expect(range.startDate < day && day < range.endDate).toBe(true)
})
