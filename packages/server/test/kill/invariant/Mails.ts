import type { Invariant } from "../Invariants.ts"
import type { Change } from "../Ledger.ts"
import { wasDone } from "./Arriving.ts"

const kinds: Readonly<Record<Change["event"], string>> = {
  "calendar.created": "created",
  "calendar.updated": "updated",
  "calendar.cancelled": "cancelled",
  "calendar.completed": "updated"
}

/**
 * The customer is told of every change that was committed and of every reminder, by mail: at least once, unless the
 * process was killed over it and the task waits for its lease to end. Of what was not committed nobody is told.
 */
export const mailed: Invariant = (history) => {
  const { ledger, mails, records } = history
  const nameOf = (kind: string, id: number, title: string): string => `${kind} ${id} ${title}`
  const sent = new Set(mails.map(({ eventId, kind, title }) => nameOf(kind, eventId, title)))
  const waiting = new Set(
    records.tasks.map(({ work: { notification } }) =>
      nameOf(notification.kind, notification.event.id, notification.event.title)
    )
  )
  const reminded = new Set(mails.filter(({ kind }) => kind === "reminder").map(({ eventId }) => eventId))
  for (const { work } of records.tasks) {
    if (work.notification.kind === "reminder") reminded.add(work.notification.event.id)
  }
  return [
    ...records.tasks.flatMap(({ attempts, error, work: { notification } }) =>
      attempts > 0 && error === null ? [] : [`the ${notification.kind} mail of "${notification.event.title}" is left`]
    ),
    ...ledger.events.flatMap(({ changes }) =>
      changes.flatMap((change) => {
        const { event, title } = change
        const id = change.eventId ?? records.calendarEvents.find((row) => row.title === title)?.id
        const isDone = wasDone(history, change)
        // A title that an earlier change gave says nothing of a completion that was not done.
        if (id === undefined || (!isDone && event === "calendar.completed")) return []
        const name = nameOf(kinds[event], id, title)
        const isTold = sent.has(name) || waiting.has(name)
        if (isTold === isDone) return []
        return [
          `the ${kinds[event]} mail of "${title}" ${isDone ? "was never sent" : "was sent, and was not committed"}`
        ]
      })
    ),
    ...records.reminders.flatMap((row) =>
      row.is_sent === 0 || reminded.has(row.event_id) ? [] : [`the reminder of event ${row.event_id} was never mailed`]
    )
  ]
}
