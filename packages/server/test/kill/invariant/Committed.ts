import type { History, Told } from "../History.ts"
import type { Invariant } from "../Invariants.ts"
import type { Change } from "../Ledger.ts"
import { goneAt } from "./Arriving.ts"

/** Whether a change was done: what was answered was; of what was not the database tells, because nothing came after. */
export const wasDone = ({ records }: History, { event, eventId, title, answeredAt }: Change): boolean => {
  if (answeredAt !== null) return true
  if (event === "calendar.created") return records.calendarEvents.some((row) => row.title === title)
  const row = records.calendarEvents.find((row) => row.id === eventId)
  if (row === undefined) return false
  if (event === "calendar.updated") return row.title === title
  return row.status === (event === "calendar.cancelled" ? "cancelled" : "completed")
}

/** Finds the deliveries to a webhook of a change of a calendar event, by what they say. */
const finder = ({ records }: History, told: ReadonlyArray<Told>) => {
  const found = Map.groupBy(told, ({ body, delivery }) =>
    [delivery.webhook_id, body.event_type, body.calendar_event?.id, body.calendar_event?.title].join(" ")
  )
  return (change: Change, webhookId: number): ReadonlyArray<Told> => {
    const id = change.eventId ?? records.calendarEvents.find((row) => row.title === change.title)?.id
    return found.get([webhookId, change.event, id, change.title].join(" ")) ?? []
  }
}

const nameOf = (change: Change): string => `${change.event} of "${change.title}"`

/** Every change that was committed has one delivery to each webhook that was subscribed. */
export const told: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const find = finder(history, deliveries)
  const webhooks = new Map(ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  const kept = new Set(records.webhooks.map((webhook) => webhook.id))
  return ledger.events
    .flatMap((event) => event.changes)
    .filter((change) => wasDone(history, change))
    .flatMap((change) =>
      change.subscribers.flatMap((webhookId) => {
        const webhook = webhooks.get(webhookId)
        if (webhook === undefined || !kept.has(webhookId)) return []
        const gone = goneAt(history, webhook)
        if (gone !== null && (change.answeredAt === null || change.answeredAt > gone)) return []
        const { length } = find(change, webhookId)
        return [length === 1 ? null : `${nameOf(change)} has ${length} deliveries to "${webhook.endpoint}"`]
      })
    )
}

/** A change that was not committed has no delivery. */
export const untold: Invariant = (history, deliveries) => {
  const find = finder(history, deliveries)
  return history.ledger.events
    .flatMap((event) => event.changes)
    .filter((change) => !wasDone(history, change))
    .map((change) => {
      const raised = history.records.webhooks.flatMap((webhook) => find(change, webhook.id))
      return raised.length === 0 ? null : `${nameOf(change)} was not committed and has ${raised.length} deliveries`
    })
}

/** An event is as its last change left it if all were answered; none is lost, none made twice, none out of nothing. */
export const kept: Invariant = ({ ledger, records }) => {
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
      ids.has(row.id) || titles.has(row.title) ? null : `the calendar event ${row.id} was never asked for`
    ),
    ...[...perTitle].map(([title, { length }]) => (length === 1 ? null : `"${title}" was created ${length} times`))
  ]
}

/** What a repeat was told to be running still, and was not answered later, was not done. */
export const waited: Invariant = ({ ledger, records }) =>
  ledger.keyed.map(({ answer, event, key, wasRunning }) =>
    answer === null && wasRunning && records.calendarEvents.some((row) => row.title === event.title)
      ? `${key} was answered as still running, and was done`
      : null
  )
