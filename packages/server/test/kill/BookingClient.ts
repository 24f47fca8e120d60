import * as CanonicalJson from "@frontdesk/core/booking/CanonicalJson"
import * as Schema from "effect/Schema"
import * as Ledger from "./Ledger.ts"
import { pickOf, type Replies } from "./Replies.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/**
 * The API keys of the workers that book. Without a call, each key is a conversation of its own. All workers book in the
 * same account.
 */
export const workerKeys: ReadonlyArray<string> = [1, 2, 3].map(
  (worker) => `fd_test_worker_${worker}_0123456789abcdefghijklmnop`
)

/** The length of the appointments that each worker books, in minutes. Different ones can overlap in part. */
const durations = [30, 60, 30]

/** The maximum number of slots that a worker tries to book in one operation. */
const maxTries = 3

const dayMillis = 86_400_000

/** How many days ahead the first appointment is. Other calendar events are earlier, so they overlap with none. */
const firstDay = 7

const Slot = Schema.Struct({ slot_id: Schema.String, start: Schema.String, end: Schema.String })

type Slot = typeof Slot.Type

const Reply = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) })
    })
  )
)

const Content = Schema.decodeUnknownSync(
  Schema.Struct({
    error: Schema.optionalKey(Schema.String),
    slots: Schema.optionalKey(Schema.Array(Slot)),
    event: Schema.optionalKey(Schema.Struct({ id: Schema.Int }))
  })
)

/** The errors of tools that a correct server may answer. */
const refusals = new Set(["slot_unavailable", "already_booked", "slot_expired", "too_many_holds"])

/** One operation of all workers. */
export interface Work {
  readonly title: string
  /** The first day on which the appointments may be, from 0. */
  readonly day: number
  /** Whether the workers hold the slot before they book it. */
  readonly holds: boolean
}

/** Finds and books slots over `POST /mcp`, and records the answers in the ledger. */
export const make = (ledger: Ledger.Ledger, { complain, good }: Replies) => {
  /** Calls a tool. Returns null without an answer, and when the tool took too long, because it may have taken effect. */
  const call = async (server: ServerProcess, worker: number, name: string, args: object) => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
    const answer = good(name, await server.ask("POST", "/mcp", body, null, workerKeys[worker]))
    if (answer === null) return null
    const { structuredContent } = Reply(answer.body).result
    const content = { ...Content(structuredContent), text: CanonicalJson.stringify(structuredContent) }
    if (content.error === "timeout") return null
    if (content.error !== undefined && !refusals.has(content.error)) complain(name, answer)
    return content
  }

  const attempt = (title: string, worker: number, slot: Slot): Ledger.Booking => {
    const event: Ledger.KnownEvent = {
      changes: [Ledger.creation(ledger, title)],
      id: null,
      title,
      reminderAt: null,
      movedAt: null,
      isOpen: false,
      isOver: false
    }
    const args = { slot_id: slot.slot_id, title, customer_name: "Zoë 🎉\u2028", customer_email: "zoe@example.com" }
    const booking = {
      event,
      worker,
      args,
      start: Date.parse(slot.start),
      end: Date.parse(slot.end),
      answers: [],
      isRefused: false
    }
    ledger.events.push(event)
    ledger.bookings.push(booking)
    return booking
  }

  /** Sends a booking for the first time or again. Returns the slots that a refusal offers. */
  const send = async (server: ServerProcess, booking: Ledger.Booking): Promise<ReadonlyArray<Slot>> => {
    const { event } = booking
    const [first] = event.changes
    if (booking.answers.length === 0 && first !== undefined) {
      // An earlier request may have booked the slot. Only the webhooks that were subscribed each time certainly have a
      // delivery.
      const now = Ledger.subscribers(ledger, "calendar.created")
      event.changes[0] = { ...first, subscribers: first.subscribers.filter((id) => now.includes(id)) }
    }
    const answer = await call(server, booking.worker, "book", booking.args)
    if (answer === null) return []
    if (answer.error !== undefined && booking.answers.length === 0) booking.isRefused = true
    else booking.answers.push(answer.text)
    if (answer.event !== undefined && event.id === null) Ledger.created(event, answer.event.id)
    return answer.slots ?? []
  }

  const work = async (server: ServerProcess, { day, holds, title }: Work, worker: number): Promise<void> => {
    const date = (days: number) => new Date(Date.now() + (firstDay + days) * dayMillis).toISOString().slice(0, 10)
    // Every week has working days.
    const search = { from_date: date(day), to_date: date(day + 6), duration_minutes: durations[worker] }
    let slots = (await call(server, worker, "find_slots", search))?.slots ?? []
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const [slot] = slots
      if (slot === undefined) return
      if (holds) await call(server, worker, "hold_slot", { slot_id: slot.slot_id })
      slots = await send(server, attempt(`${title}-${worker}-${tries}`, worker, slot))
    }
  }

  return {
    /** Lets all workers find slots at the same time, of which each books the first one that it gets. */
    book: async (server: ServerProcess, operation: Work): Promise<void> => {
      await Promise.all(workerKeys.map((_, worker) => work(server, operation, worker)))
    },
    /** Repeats a booking, whether it was answered or not. */
    repeat: async (server: ServerProcess, pick: number): Promise<void> => {
      const booking = pickOf(
        ledger.bookings.filter(({ isRefused }) => !isRefused),
        pick
      )
      if (booking !== undefined) await send(server, booking)
    },
    /** Repeats the bookings that were not answered, as an agent does whose tool call has failed. */
    catchUp: async (server: ServerProcess): Promise<void> => {
      for (const booking of ledger.bookings) {
        if (booking.answers.length === 0 && !booking.isRefused) await send(server, booking)
      }
    }
  }
}
