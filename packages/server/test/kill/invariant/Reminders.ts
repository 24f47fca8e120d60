import type { Invariant } from "../Invariants.ts"

const hour = 3_600_000

/** Each time at which an event's reminder was due raised one event, not before it, with one delivery to each webhook. */
export const once: Invariant = ({ ledger, records }, told) => {
  const raised = Map.groupBy(
    told.filter(({ event }) => event.name === "calendar.reminder"),
    ({ body }) => `${body.calendar_event?.id} ${Date.parse(body.calendar_event?.start_time ?? "") - hour}`
  )
  const sent = new Set(
    records.reminders.filter((row) => row.is_sent === 1).map((row) => `${row.event_id} ${row.due_at}`)
  )
  const lasting = ledger.webhooks.filter((webhook) => webhook.isLasting)
  const wanted = ledger.events.filter(
    (event) => event.isOpen && !event.isOver && event.changes.every((change) => change.answeredAt !== null)
  )
  return [
    ...wanted.flatMap(({ id, reminderAt, title }) =>
      reminderAt === null || sent.has(`${id} ${reminderAt}`) ? [] : [`the reminder of "${title}" was not sent`]
    ),
    ...[...sent].flatMap((time) => {
      const deliveries = raised.get(time) ?? []
      const events = new Set(deliveries.map(({ event }) => event.id))
      if (events.size !== 1) return [`the reminder ${time} was raised ${events.size} times`]
      return lasting.flatMap(({ endpoint, id }) => {
        const { length } = deliveries.filter(({ delivery }) => delivery.webhook_id === id)
        return length === 1 ? [] : [`the reminder ${time} has ${length} deliveries to "${endpoint}"`]
      })
    }),
    ...[...raised].flatMap(([time, deliveries]) => [
      ...(sent.has(time) ? [] : [`the reminder ${time} was raised and is not marked`]),
      ...deliveries.flatMap(({ event }) =>
        event.created_at >= Number(time.split(" ")[1]) ? [] : [`the reminder ${time} was raised too early`]
      )
    ])
  ]
}
