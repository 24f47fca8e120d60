import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Engine from "../deliveries/Engine.ts"
import * as Rounds from "../Rounds.ts"
import type { NodeProcess } from "./NodeProcess.ts"

/** The number of due reminders in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

/** The number of accounts whose calendar events have reminders. Each has a webhook for them. */
const accounts = 16

/** The numbers of nodes that send reminders at once. The first is the baseline. */
const senders = [1, 2, 4]

/** The time in SQL with milliseconds, as the stores write it. */
const now = "date_trunc('milliseconds', now())"

/**
 * Adds calendar events that begin in an hour and whose reminder was due an hour ago. Returns an effect that makes all
 * reminders due again.
 */
const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const made = yield* Effect.forEach(Engine.idsFrom(0, accounts), (id) =>
    // A port without a receiver, because nothing is sent.
    Engine.subscribe([`http://127.0.0.1:9/${id}`], "calendar.reminder")
  )
  const first = made[0]?.id ?? 0
  yield* sql.unsafe(`INSERT INTO calendar_event (uuid, account_id, event_type, status, start_time, end_time, title,
      has_video_conference, video_conference_url, video_conference_provider, created_by_ai_agent, is_reminder_enabled,
      remind_before_minutes, customer_name, customer_email, customer_phone, external_calendars, notify_on_cancel,
      sequence, created_at, updated_at, customer_notes, description)
    SELECT gen_random_uuid()::text, ${first} + g % ${accounts}, 'meeting', 'scheduled', ${now} + INTERVAL '1 hour',
      ${now} + INTERVAL '2 hours', 'Demo', FALSE, '', '', TRUE, TRUE, 120, 'Jo', 'jo@example.com', '', '{}', FALSE, 0,
      ${now}, ${now}, '', '' FROM generate_series(1, ${count}) AS g`)
  return Effect.gen(function* () {
    yield* sql.unsafe("TRUNCATE reminder, webhook_attempt, webhook_delivery, webhook_event")
    yield* sql.unsafe(`INSERT INTO reminder (account_id, event_id, due_at, is_sent)
      SELECT account_id, id, start_time - INTERVAL '2 hours', FALSE FROM calendar_event WHERE is_reminder_enabled`)
    // Autovacuum would do this within a minute.
    yield* sql.unsafe("VACUUM ANALYZE reminder")
  })
})

/**
 * Prints how fast several nodes send due reminders at once (D-REM-8). An additional first round is a warm-up and does
 * not count.
 */
export const run = async (
  services: Engine.Context,
  nodes: ReadonlyArray<NodeProcess>,
  database: Rounds.CpuClock,
  { count, rounds }: Size
): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const refill = await runPromise(fill(count))
  const measured = await Rounds.interleave(senders, rounds + 1, async (senders) => {
    await runPromise(refill)
    const working = nodes.slice(0, senders)
    const all: Rounds.CpuClock = async () => {
      const used = await Promise.all(working.map((node) => node.cpuMicros()))
      return used.reduce((sum, micros) => sum + micros, 0)
    }
    const work = async () => {
      const sent = await Promise.all(working.map((node) => node.remind()))
      const total = sent.reduce((sum, own) => sum + own, 0)
      if (total !== count) throw new Error(`${total} of ${count} reminders were sent`)
    }
    return Rounds.costed(count, work, { cpu: all, others: { database } })
  })
  // `slice(1)` leaves out the warm-up round.
  const counted = measured.map(({ contestant, results }) => ({
    name: `${contestant} sending`,
    results: results.slice(1)
  }))
  console.log(Rounds.table("reminders a second", counted))
}
