import type { Invariant } from "../Invariants.ts"
import type { Change } from "../Ledger.ts"
import type { History } from "../History.ts"
import { wasDone } from "./Committed.ts"

/** The mail that a change causes; null for none, because a completed event is over. */
const kinds: Readonly<Record<Change["event"], string | null>> = {
  "calendar.created": "created",
  "calendar.updated": "updated",
  "calendar.cancelled": "cancelled",
  "calendar.completed": null
}

const nameOf = (kind: string, id: number, title: string): string => `${kind} ${id} ${title}`

/** What customers were told, and what they will be when a lease ends whose process was killed. */
const spoken = ({ mails, records }: History): ReadonlySet<string> =>
  new Set([
    ...mails.map(({ eventId, kind, title }) => nameOf(kind, eventId, title)),
    ...records.tasks.map(({ work: { notification } }) => {
      // A mail shows the event as it is when the mail is sent.
      const { id } = notification.event
      return nameOf(notification.kind, id, records.calendarEvents.find((row) => row.id === id)?.title ?? "")
    })
  ])

/** The mails that tell of a change: an invitation that waited shows the changes since. */
const tellersOf = (kind: string): ReadonlyArray<string> => (kind === "updated" ? ["updated", "created"] : [kind])

/** The mails of some changes. */
const ofChanges = (history: History, changes: ReadonlyArray<Change>) => {
  const names = spoken(history)
  return changes.flatMap(({ event, eventId, title }) => {
    const id = eventId ?? history.records.calendarEvents.find((row) => row.title === title)?.id
    const kind = kinds[event]
    return id === undefined || kind === null
      ? []
      : [
          {
            name: `the ${kind} mail of "${title}"`,
            isTold: tellersOf(kind).some((one) => names.has(nameOf(one, id, title)))
          }
        ]
  })
}

/**
 * The customer is told of what every event has become, by mail: at least once, unless the process was killed over it and
 * the task waits for its lease to end. The mail of an earlier change shows the event as it then is.
 */
export const told: Invariant = (history) =>
  ofChanges(
    history,
    history.ledger.events.flatMap(({ changes }) => changes.filter((change) => wasDone(history, change)).slice(-1))
  ).map(({ isTold, name }) => (isTold ? null : `${name} was never sent`))

/** Of what was not committed no customer is told. */
export const untold: Invariant = (history) =>
  ofChanges(
    history,
    history.ledger.events.flatMap(({ changes }) => changes.filter((change) => !wasDone(history, change)))
  ).map(({ isTold, name }) => (isTold ? `${name} was sent, and was not committed` : null))

/**
 * The customer is mailed every reminder whose event is still to take place. The mail of a reminder that still waits when its
 * event is moved is dropped: the mail of the move takes its place.
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

/** A task that is left waits for its lease to end: it was begun, and not set aside. */
export const left: Invariant = ({ records }) =>
  records.tasks.map(({ attempts, error, work: { notification } }) =>
    attempts > 0 && error === null ? null : `the ${notification.kind} mail of event ${notification.event.id} is left`
  )
