import type { Invariant } from "../Invariants.ts"
import type { Change } from "../Ledger.ts"
import type { History } from "../History.ts"
import { wasDone } from "./Committed.ts"

/** The kind of mail that a change causes; null for a completed event, which causes none. */
const kinds: Readonly<Record<Change["event"], string | null>> = {
  "calendar.created": "created",
  "calendar.updated": "updated",
  "calendar.cancelled": "cancelled",
  "calendar.completed": null
}

const nameOf = (kind: string, id: number, title: string): string => `${kind} ${id} ${title}`

/** Returns the mails that were sent, and those that will be sent after the lease of a killed process. */
const sentNames = ({ mails, records }: History): ReadonlySet<string> =>
  new Set([
    ...mails.map(({ eventId, kind, title }) => nameOf(kind, eventId, title)),
    ...records.tasks.map(({ work: { notification } }) => {
      // A mail shows the state of the event at the time of sending.
      const { id } = notification.event
      return nameOf(notification.kind, id, records.calendarEvents.find((row) => row.id === id)?.title ?? "")
    })
  ])

/** Returns the mails that may report a change. A delayed invitation also shows later changes. */
const kindsThatShow = (kind: string): ReadonlyArray<string> => (kind === "updated" ? ["updated", "created"] : [kind])

/** Returns the mails of the selected changes. */
const ofChanges = (history: History, changes: ReadonlyArray<Change>) => {
  const names = sentNames(history)
  return changes.flatMap(({ event, eventId, title }) => {
    const id = eventId ?? history.records.calendarEvents.find((row) => row.title === title)?.id
    const kind = kinds[event]
    return id === undefined || kind === null
      ? []
      : [
          {
            name: `the ${kind} mail of "${title}"`,
            isMailed: kindsThatShow(kind).some((one) => names.has(nameOf(one, id, title)))
          }
        ]
  })
}

/**
 * The customer receives a mail with the last state of every event at least once, unless the process was killed meanwhile
 * and the task waits for its lease. A mail of an earlier change shows the state at the time of sending.
 */
export const mailed: Invariant = (history) =>
  ofChanges(
    history,
    history.ledger.events.flatMap(({ changes }) => changes.filter((change) => wasDone(history, change)).slice(-1))
  ).map(({ isMailed, name }) => (isMailed ? null : `${name} was never sent`))

/** No mail reports an uncommitted change. */
export const unmailed: Invariant = (history) =>
  ofChanges(
    history,
    history.ledger.events.flatMap(({ changes }) => changes.filter((change) => !wasDone(history, change)))
  ).map(({ isMailed, name }) => (isMailed ? `${name} was sent, and was not committed` : null))

/**
 * The customer receives every reminder of an event that still takes place. When an event is moved, a waiting mail of its
 * reminder is dropped, because the mail of the move replaces it.
 */
export const reminded: Invariant = ({ ledger, mails, records }) => {
  const ids = new Set([
    ...mails.flatMap(({ eventId, kind }) => (kind === "reminder" ? [eventId] : [])),
    ...records.tasks.flatMap(({ work: { notification } }) =>
      notification.kind === "reminder" ? [notification.event.id] : []
    )
  ])
  const ahead = new Set(records.calendarEvents.flatMap((row) => (row.status === "scheduled" ? [row.id] : [])))
  const mayBeMoved = (row: History["records"]["reminders"][number]) =>
    ledger.events.some(
      ({ changes, id, movedAt, reminderAt }) =>
        id === row.event_id &&
        (changes.some((change) => change.answeredAt === null) || (movedAt !== null && reminderAt !== row.due_at))
    )
  return records.reminders
    .filter((row) => row.is_sent === 1 && ahead.has(row.event_id) && !mayBeMoved(row))
    .map((row) => (ids.has(row.event_id) ? null : `the reminder of event ${row.event_id} was never mailed`))
}

/** A remaining task was begun and waits for its lease. It is not dead-lettered. */
export const left: Invariant = ({ records }) =>
  records.tasks.map(({ attempts, error, work: { notification } }) =>
    attempts > 0 && error === null ? null : `the ${notification.kind} mail of event ${notification.event.id} is left`
  )
