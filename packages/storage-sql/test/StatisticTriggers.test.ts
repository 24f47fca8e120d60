import { describe, expect, it } from "@effect/vitest"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Triggers from "@frontdesk/storage-sql/migrations/StatisticTriggers"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { counted, stored } from "@frontdesk/testing/suite/StatisticCounts"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

/** Stores and changes records of each kind. Returns whether the statistics equal a slow count of them. */
const isCounted = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  const agents = [yield* Samples.makeAgent(account.id), yield* Samples.makeAgent(account.id)] as const
  const call = yield* Samples.makeCall(account.id, agents[0])
  const [startedAt, endedAt] = [Samples.later(1), Samples.later(4)]
  yield* (yield* CallStore).update({ ...call, status: "completed", startedAt, endedAt })
  const event = yield* Samples.makeCalendarEvent(account.id, { aiAgent: agents[0] })
  yield* (yield* CalendarEventStore).update({ ...event, aiAgent: agents[1] })
  const webhook = yield* Samples.makeWebhook(account.id)
  yield* Deliveries.emptyQueue
  yield* Deliveries.add(webhook, "call:1")
  yield* (yield* DeliveryQueue).record(
    (yield* Deliveries.claim(1)).map((one) => Deliveries.result(one, null)),
    Samples.later(1)
  )
  const [found, expected] = [yield* stored(account), yield* counted(account, [webhook.id])]
  return JSON.stringify(found) === JSON.stringify(expected)
})

/** The triggers, with their tables. */
const triggers = [
  ["call", "call_statistics_insert"],
  ["call", "call_statistics_update"],
  ["calendar_event", "calendar_event_statistics_insert"],
  ["calendar_event", "calendar_event_statistics_update"],
  ["webhook_delivery", "webhook_delivery_statistics"]
] as const

describe.each(databases)("the triggers that append to the statistics, in %s (D-STAT-4)", (_, storage) => {
  it.effect("without any one of them the statistics differ from a slow count, and with all of them they equal it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      expect(yield* isCounted).toBe(true)
      const [drop, create] = sql.onDialectOrElse({
        pg: () => [(table: string, name: string) => `DROP TRIGGER ${name} ON ${table}`, Triggers.postgres] as const,
        orElse: () => [(__: string, name: string) => `DROP TRIGGER ${name}`, Triggers.sqlite] as const
      })
      for (const [table, name] of triggers) {
        const statement = create.find((text) => text.startsWith(`CREATE TRIGGER ${name} `))
        yield* sql.unsafe(drop(table, name))
        expect({ name, isCounted: yield* isCounted }).toEqual({ name, isCounted: false })
        yield* sql.unsafe(statement ?? "")
        expect({ name, isCounted: yield* isCounted }).toEqual({ name, isCounted: true })
      }
    }).pipe(Effect.provide(storage))
  )
})
