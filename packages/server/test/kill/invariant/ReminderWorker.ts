import type { History } from "../History.ts"
import type { Invariant } from "../Invariants.ts"

const hour = 3_600_000

const sentOf = ({ records }: History): ReadonlySet<string> =>
  new Set(records.reminders.filter((row) => row.is_sent === 1).map((row) => `${row.event_id} ${row.due_at}`))

/**
 * The reminder of each scheduled event whose changes were all answered is sent. An event has no second reminder if its first
 * was sent and the new start would have made the reminder due earlier.
 */
export const sent: Invariant = (history) => {
  const marked = sentOf(history)
  const reminded = new Set(history.records.reminders.filter((row) => row.is_sent === 1).map((row) => row.event_id))
  return history.ledger.events
    .filter(
      ({ changes, isOpen, isOver, reminderAt }) =>
        isOpen && !isOver && reminderAt !== null && changes.every((change) => change.answeredAt !== null)
    )
    .map(({ id, movedAt, reminderAt, title }) => {
      const isLeftOut =
        id !== null &&
        movedAt !== null &&
        reminderAt !== null &&
        reminderAt <= movedAt + history.clockError &&
        reminded.has(id)
      return isLeftOut || marked.has(`${id} ${reminderAt}`) ? null : `the reminder of "${title}" was not sent`
    })
}

/** Each due time of a reminder has one webhook event, not before that time, with one delivery to each webhook. */
export const once: Invariant = (history, deliveries) => {
  const { ledger } = history
  const raised = Map.groupBy(
    deliveries.filter(({ event }) => event.name === "calendar.reminder"),
    ({ body }) => `${body.calendar_event?.id} ${Date.parse(body.calendar_event?.start_time ?? "") - hour}`
  )
  const marked = sentOf(history)
  const lasting = ledger.webhooks.filter((webhook) => webhook.isLasting)
  return [
    ...[...marked].flatMap((time) => {
      const ofTime = raised.get(time) ?? []
      const events = new Set(ofTime.map(({ event }) => event.id))
      if (events.size !== 1) return [`the reminder ${time} was raised ${events.size} times`]
      return lasting.map(({ endpoint, id }) => {
        const { length } = ofTime.filter(({ delivery }) => delivery.webhook_id === id)
        return length === 1 ? null : `the reminder ${time} has ${length} deliveries to "${endpoint}"`
      })
    }),
    ...[...raised].flatMap(([time, ofTime]) => [
      marked.has(time) ? null : `the reminder ${time} was raised and is not marked`,
      ...ofTime.map(({ event }) =>
        event.created_at >= Number(time.split(" ")[1]) ? null : `the reminder ${time} was raised too early`
      )
    ])
  ]
}
