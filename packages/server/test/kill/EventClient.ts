import * as Schema from "effect/Schema"
import * as Ledger from "./Ledger.ts"
import { pickOf, type Replies } from "./Replies.ts"
import type { Answer, ServerProcess } from "./ServerProcess.ts"

const Made = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))

const minute = 60_000

/** Returns times that no other calendar event has. The reminder has been due for minutes, or is due within a second. */
const times = (index: number, reminder: boolean) => {
  const reminderAt = Date.now() + (index % 2 === 0 ? 600 : -10 * minute) + index
  const start = reminderAt + 60 * minute
  return {
    reminderAt: reminder ? reminderAt : null,
    fields: {
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + 30 * minute).toISOString(),
      is_reminder_enabled: reminder,
      remind_before_minutes: 60
    }
  }
}

/** Creates and changes calendar events, and records the answers in the ledger. */
export const make = (ledger: Ledger.Ledger, { complain, good }: Replies) => {
  let index = 0

  const createEvent = async (server: ServerProcess, title: string, reminder: boolean, key: string | null) => {
    const { fields, reminderAt } = times((index += 1), reminder)
    const body = { title, ...fields, customer_name: "Zoë 🎉\u2028", customer_email: "zoe@example.com" }
    const event: Ledger.KnownEvent = {
      changes: [Ledger.creation(ledger, title)],
      id: null,
      title,
      reminderAt,
      movedAt: null,
      isOpen: false,
      isOver: false
    }
    ledger.events.push(event)
    const keyed: Ledger.KeyedCreate | null = key === null ? null : { key, body, event, answer: null, wasRunning: false }
    if (keyed !== null) ledger.keyed.push(keyed)
    const answer = good("a creation", await server.ask("POST", "/api/v1/calendar/events/create", body, key))
    if (answer === null) return
    if (keyed !== null) keyed.answer = answer
    created(event, answer)
  }

  const created = (event: Ledger.KnownEvent, answer: Answer): void => {
    Ledger.created(event, Made(answer.body).id)
    event.isOpen = true
  }

  const repeat = async (server: ServerProcess, keyed: Ledger.KeyedCreate): Promise<void> => {
    const now = Ledger.creation(ledger, keyed.event.title)
    const [first] = keyed.event.changes
    if (keyed.answer === null && first !== undefined) {
      // The first request has created the calendar event, or the repeat creates it, or neither does. Only the webhooks that
      // were subscribed at both times certainly have a delivery.
      const subscribers = first.subscribers.filter((id) => now.subscribers.includes(id))
      keyed.event.changes[0] = { ...first, subscribers }
    }
    const answer = await server.ask("POST", "/api/v1/calendar/events/create", keyed.body, keyed.key)
    if (answer === null) return
    if (keyed.answer !== null) {
      if (answer.status !== keyed.answer.status || answer.body !== keyed.answer.body || !answer.isReplayed) {
        complain(`A repeat of ${keyed.key}, answered before with ${keyed.answer.body},`, answer)
      }
    } else if (answer.status === 201) {
      keyed.answer = answer
      const { event } = keyed
      // Without a replay the event has just been created, for the webhooks that are subscribed now.
      if (!answer.isReplayed) event.changes[0] = now
      created(event, answer)
    } else if (answer.status === 409) keyed.wasRunning = true
    else complain(`A repeat of ${keyed.key}`, answer)
  }

  const changeEvent = async (
    server: ServerProcess,
    pick: number,
    name: Ledger.Change["event"],
    title: string | null,
    request: (id: number) => readonly [method: string, path: string, body: unknown],
    reminderAt?: number
  ): Promise<void> => {
    const event = pickOf(
      ledger.events.filter((event) => event.isOpen),
      pick
    )
    if (event === undefined || event.id === null) return
    const change: Ledger.Change = {
      event: name,
      title: title ?? event.title,
      eventId: event.id,
      sentAt: Date.now(),
      answeredAt: null,
      subscribers: Ledger.subscribers(ledger, name)
    }
    event.changes.push(change)
    event.isOpen = false
    const answer = good(name, await server.ask(...request(event.id)))
    if (answer === null) return
    change.answeredAt = Date.now()
    event.title = change.title
    event.isOver = name === "calendar.cancelled" || name === "calendar.completed"
    event.isOpen = !event.isOver
    if (reminderAt !== undefined && event.reminderAt !== null) {
      event.reminderAt = reminderAt
      event.movedAt = change.answeredAt
    }
  }

  /** Renames an event and moves it together with its reminder. */
  const move = (server: ServerProcess, pick: number, title: string): Promise<void> => {
    const { fields, reminderAt } = times((index += 1), true)
    const { end_time, start_time } = fields
    const body = { title, start_time, end_time }
    return changeEvent(
      server,
      pick,
      "calendar.updated",
      title,
      (id) => ["PATCH", `/api/v1/calendar/events/${id}/update`, body],
      reminderAt ?? 0
    )
  }

  return {
    create: createEvent,
    /** Repeats a creation with the same key, whether it was answered or not. */
    repeat: async (server: ServerProcess, pick: number): Promise<void> => {
      const keyed = pickOf(ledger.keyed, pick)
      if (keyed !== undefined) await repeat(server, keyed)
    },
    change: changeEvent,
    move,
    /** Repeats requests with a key that were not answered, as the client of an idempotent request does. */
    catchUp: async (server: ServerProcess): Promise<void> => {
      for (const keyed of ledger.keyed) if (keyed.answer === null) await repeat(server, keyed)
    }
  }
}
