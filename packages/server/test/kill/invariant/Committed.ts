import type { History, DeliveryHistory } from "../History.ts"
import type { Invariant } from "../Invariants.ts"
import type { Change } from "../Ledger.ts"
import { goneAt } from "./Arriving.ts"

/** Returns whether a change was made. If it was not answered, the database shows it, because no later change follows. */
export const wasDone = ({ records }: History, { event, eventId, title, answeredAt }: Change): boolean => {
  if (answeredAt !== null) return true
  if (event === "calendar.created") return records.calendarEvents.some((row) => row.title === title)
  const row = records.calendarEvents.find((row) => row.id === eventId)
  if (row === undefined) return false
  if (event === "calendar.updated") return row.title === title
  return row.status === (event === "calendar.cancelled" ? "cancelled" : "completed")
}

/** Returns the deliveries of a change of a calendar event to a webhook, found by their bodies. */
const finder = ({ records }: History, deliveries: ReadonlyArray<DeliveryHistory>) => {
  const found = Map.groupBy(deliveries, ({ body, delivery }) =>
    [delivery.webhook_id, body.event_type, body.calendar_event?.id, body.calendar_event?.title].join(" ")
  )
  return (change: Change, webhookId: number): ReadonlyArray<DeliveryHistory> => {
    const id = change.eventId ?? records.calendarEvents.find((row) => row.title === change.title)?.id
    return found.get([webhookId, change.event, id, change.title].join(" ")) ?? []
  }
}

const nameOf = (change: Change): string => `${change.event} of "${change.title}"`

/** Every committed change has one delivery to each subscribed webhook. */
export const announced: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const find = finder(history, deliveries)
  const webhooks = new Map(ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  const webhookIds = new Set(records.webhooks.map((webhook) => webhook.id))
  return ledger.events
    .flatMap((event) => event.changes)
    .filter((change) => wasDone(history, change))
    .flatMap((change) =>
      change.subscribers.flatMap((webhookId) => {
        const webhook = webhooks.get(webhookId)
        if (webhook === undefined || !webhookIds.has(webhookId)) return []
        const gone = goneAt(history, webhook)
        if (gone !== null && (change.answeredAt === null || change.answeredAt > gone)) return []
        const { length } = find(change, webhookId)
        return [length === 1 ? null : `${nameOf(change)} has ${length} deliveries to "${webhook.endpoint}"`]
      })
    )
}

/** An uncommitted change has no delivery. */
export const unannounced: Invariant = (history, deliveries) => {
  const find = finder(history, deliveries)
  return history.ledger.events
    .flatMap((event) => event.changes)
    .filter((change) => !wasDone(history, change))
    .map((change) => {
      const raised = history.records.webhooks.flatMap((webhook) => find(change, webhook.id))
      return raised.length === 0 ? null : `${nameOf(change)} was not committed and has ${raised.length} deliveries`
    })
}

/** An event has the state of its last change if all were answered. No event is missing, duplicated or unrequested. */
export const madeOnce: Invariant = ({ ledger, records }) => {
  const titles = new Set(ledger.events.flatMap((event) => event.changes.map((change) => change.title)))
  const ids = new Set(ledger.events.flatMap(({ id }) => (id === null ? [] : [id])))
  const rows = new Map(records.calendarEvents.map((row) => [row.id, row]))
  const perTitle = Map.groupBy(records.calendarEvents, (row) => row.title)
  return [
    ...ledger.events.flatMap((event) => {
      if (event.id === null) return []
      const row = rows.get(event.id)
      if (row === undefined) return [`the calendar event "${event.title}" was created and is lost`]
      if (!event.changes.every((change) => change.answeredAt !== null)) return [null]
      if (row.title !== event.title) return [`the calendar event "${event.title}" is "${row.title}"`]
      const last = event.changes.at(-1)?.event
      const status =
        last === "calendar.cancelled" ? "cancelled" : last === "calendar.completed" ? "completed" : "scheduled"
      return [row.status === status ? null : `the calendar event "${event.title}" is ${row.status}, not ${status}`]
    }),
    ...records.calendarEvents.map((row) =>
      ids.has(row.id) || titles.has(row.title) ? null : `the calendar event ${row.id} was never requested`
    ),
    ...[...perTitle].map(([title, { length }]) => (length === 1 ? null : `"${title}" was created ${length} times`))
  ]
}

/** A request that was answered as still running, and not answered later, was not executed. */
export const waited: Invariant = ({ ledger, records }) =>
  ledger.keyed.map(({ answer, event, key, wasRunning }) =>
    answer === null && wasRunning && records.calendarEvents.some((row) => row.title === event.title)
      ? `${key} was answered as still running, and was executed`
      : null
  )
