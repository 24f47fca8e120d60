import { expect, it } from "@effect/vitest"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const storage = Layer.unwrap(Effect.map(TestDatabase.make, (url) => PostgresStorage.layer({ url: Redacted.make(url) })))

const count = 600

/** Returns how many rows of calendar events the present transaction has read by an index. */
const rowsRead = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly read: number }>`SELECT CAST(idx_tup_fetch AS integer) AS read
    FROM pg_stat_xact_user_tables WHERE relname = 'calendar_event'`
  return row?.read ?? 0
})

it.effect("the busy times of an hour read no earlier events, also when one account has them all", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const events = yield* CalendarEventStore
    const transaction = yield* Transaction
    const account = yield* Samples.makeAccount()
    for (let hour = 0; hour < count; hour++) {
      const times = { startTime: Samples.later(hour * 60), endTime: Samples.later(hour * 60 + 30) }
      yield* events.insert(Samples.newCalendarEvent(account.id, times))
    }
    yield* sql`VACUUM ANALYZE calendar_event`
    const read = yield* transaction.run(
      Effect.gen(function* () {
        // The plan that a connection uses for a statement that it runs often.
        yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
        const before = yield* rowsRead
        const last = (count - 1) * 60
        const busy = yield* events.busy(account.id, Samples.later(last), Samples.later(last + 60), Option.none())
        expect(busy).toHaveLength(1)
        return (yield* rowsRead) - before
      })
    )
    expect(read).toBeLessThan(10)
  }).pipe(Effect.provide(storage))
)
