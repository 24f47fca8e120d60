import { createHmac } from "node:crypto"
import type { History } from "./History.ts"
import type { Booking, Change, KnownEvent, KnownWebhook } from "./Ledger.ts"
import type { Arrival } from "./Receivers.ts"
import type { Attempt, Delivery, Records } from "./Records.ts"

const hour = 3_600_000
/** The webhook secret of all requests in this history. */
export const secret = `whsec_${Buffer.from("s".repeat(32)).toString("base64")}`

/** Returns the body of a webhook event. */
export const bodyOf = (name: string, title = "e1"): Buffer =>
  Buffer.from(
    JSON.stringify({
      event_type: name,
      calendar_event: { id: 7, title, start_time: new Date(hour + 5_000).toISOString() }
    })
  )

/** Returns a request with valid signatures. */
export const arrival = (
  deliveryId: string,
  at: number,
  answered: number | null,
  body = bodyOf("calendar.created")
): Arrival => {
  const timestamp = String(Math.floor(at / 1_000))
  const mac = createHmac("sha256", Buffer.from("s".repeat(32)))
    .update(`${deliveryId}.${timestamp}.`)
    .update(body)
  return {
    at,
    endpoint: "good",
    deliveryId,
    event: "calendar.created",
    signature: createHmac("sha256", secret).update(body).digest("hex"),
    standard: { id: deliveryId, timestamp, signature: `v1,${mac.digest("base64")}` },
    body,
    answered
  }
}

/** Returns a stored attempt that took 10 ms. */
export const attempt = (number: number, startedAt: number, status: number | null, of = 1): Attempt => ({
  delivery_id: of,
  number,
  kind: "automatic",
  started_at: startedAt,
  duration_ms: 10,
  status_code: status,
  error: status === 200 ? null : "failed"
})

/** A delivery that was accepted at the second attempt. */
export const delivery: Delivery = {
  id: 1,
  delivery_id: "a",
  event_id: 1,
  webhook_id: 3,
  subject: "event:7",
  state: "delivered",
  results: 2,
  attempts: 2
}

/** The only webhook. */
export const webhook: KnownWebhook = {
  id: 3,
  endpoint: "good",
  behaviour: "good",
  isLasting: true,
  events: ["calendar.created"],
  isActive: true,
  isCertain: true,
  offUntil: null,
  periods: [
    { events: ["calendar.created", "calendar.reminder", "call.failed"], from: 0, until: Number.POSITIVE_INFINITY }
  ],
  isDeleted: false,
  secrets: [{ secret, from: 0, until: Number.POSITIVE_INFINITY }]
}

/** The only calendar event. */
export const known: KnownEvent = {
  changes: [{ event: "calendar.created", title: "e1", eventId: 7, sentAt: 900, answeredAt: 1_100, subscribers: [3] }],
  id: 7,
  title: "e1",
  reminderAt: null,
  movedAt: null,
  isOpen: true,
  isOver: false
}

/** A cancellation without an answer. */
export const cancellation: Change = {
  event: "calendar.cancelled",
  title: "e1",
  eventId: 7,
  sentAt: 2_000,
  answeredAt: null,
  subscribers: [3]
}

/** The row of the only calendar event. */
export const storedEvent: Records["calendarEvents"][number] = {
  id: 7,
  title: "e1",
  status: "scheduled",
  start_time: hour + 5_000,
  end_time: 2 * hour
}

/** The rows of the database. */
export const records: Records = {
  webhooks: [{ id: 3, name: "good", status: "active" }],
  webhookEvents: [{ id: 1, name: "calendar.created", created_at: 1_000, body: bodyOf("calendar.created") }],
  deliveries: [delivery],
  attempts: [attempt(1, 1_100, 500), attempt(2, 1_310, 200)],
  calendarEvents: [storedEvent],
  toolCalls: [],
  reminders: [],
  calls: [],
  accounts: [{ deposits: 100, charges: 0, holds: 0, moved: 100 }],
  tasks: [],
  webhookSecrets: [secret],
  damage: []
}

/** A correct history with one webhook event, which was delivered at the second attempt. */
export const good: History = {
  ledger: {
    webhooks: [webhook],
    events: [known],
    keyed: [],
    bookings: [],
    calls: [],
    redelivered: [],
    tests: [],
    complaints: [],
    answers: 1
  },
  arrivals: [arrival("a", 1_105, 500), arrival("a", 1_315, 200)],
  sends: [
    { at: 1_100, deliveryId: "a" },
    { at: 1_310, deliveryId: "a" }
  ],
  mails: [{ kind: "created", eventId: 7, title: "e1" }],
  records,
  delays: [200, 300, 400],
  clockError: 0,
  errors: [],
  lines: 1,
  claims: { ended: new Map([["a", 2]]), unanswered: [] },
  isSealed: false,
  unsettled: 0
}

/** The good history with other records. */
export const withRecords = (change: Partial<Records>): History => ({ ...good, records: { ...records, ...change } })

/** The good history with another ledger. */
export const withLedger = (change: Partial<History["ledger"]>): History => ({
  ...good,
  ledger: { ...good.ledger, ...change }
})

/** The good history with its delivery in another state. */
export const withDelivery = (change: Partial<Delivery>): History =>
  withRecords({ deliveries: [{ ...delivery, ...change }] })

/** The good history with other requests. */
export const withArrivals = (...arrivals: ReadonlyArray<Arrival>): History => ({ ...good, arrivals })

/** The two requests of the good history. */
export const [first = arrival("a", 1_105, 500), second = arrival("a", 1_315, 200)] = good.arrivals

/** The good history with a reminder that is marked as sent or not, and has `raised` webhook events of the time `createdAt`. */
export const reminded = (isMarked: boolean, raised: number, createdAt = 5_000): History => {
  const ids = Array.from({ length: raised }, (_, index) => index + 2)
  return {
    ...good,
    arrivals: [
      ...good.arrivals,
      ...ids.map((id) => ({
        ...arrival(`r${id}`, createdAt + 10, 200, bodyOf("calendar.reminder")),
        event: "calendar.reminder"
      }))
    ],
    sends: [...good.sends, ...ids.map((id) => ({ at: createdAt + 5, deliveryId: `r${id}` }))],
    ledger: { ...good.ledger, events: [{ ...known, reminderAt: 5_000 }] },
    mails: [...good.mails, { kind: "reminder", eventId: 7, title: "e1" }],
    records: {
      ...records,
      reminders: [{ event_id: 7, due_at: 5_000, is_sent: isMarked ? 1 : 0 }],
      webhookEvents: [
        ...records.webhookEvents,
        ...ids.map((id) => ({
          id,
          name: "calendar.reminder",
          created_at: createdAt,
          body: bodyOf("calendar.reminder")
        }))
      ],
      deliveries: [
        delivery,
        ...ids.map((id) => ({ ...delivery, id, delivery_id: `r${id}`, event_id: id, results: 1, attempts: 1 }))
      ],
      attempts: [...records.attempts, ...ids.map((id) => attempt(1, createdAt + 5, 200, id))]
    }
  }
}

/** The good history whose event a worker has booked, with a changed booking and changed records. */
export const booked = (change: Partial<Booking> = {}, rows: Partial<Records> = {}): History => ({
  ...good,
  ledger: {
    ...good.ledger,
    bookings: [
      {
        event: known,
        worker: 0,
        args: {},
        start: storedEvent.start_time,
        end: storedEvent.end_time,
        answers: ["first", "first"],
        isRefused: false,
        ...change
      }
    ]
  },
  records: { ...records, toolCalls: [{ event_id: 7, answer: "first" }], ...rows }
})

/** A call to a busy number. */
const call: Records["calls"][number] = {
  id: 1,
  status: "busy",
  billing_status: "refunded",
  initial_charge: 10,
  final_charge: -10,
  price_per_minute: 10,
  started_at: null,
  ended_at: 2_000,
  ended_reason: "busy"
}

/**
 * The good history with a changed call to a busy number, for which the account was charged `charges`. Without `isTold` its
 * webhook event is `call.ended` instead of `call.failed`.
 */
export const called = (change: Partial<typeof call>, charges: number, isTold = true): History => {
  const body = Buffer.from(JSON.stringify({ event_type: "call.failed", call: { id: 1, status: "busy" } }))
  const failed = { ...delivery, id: 2, delivery_id: "c", event_id: 2, subject: "call:1", results: 1, attempts: 1 }
  return {
    ...good,
    arrivals: [...good.arrivals, { ...arrival("c", 2_010, 200, body), event: "call.failed" }],
    sends: [...good.sends, { at: 2_005, deliveryId: "c" }],
    ledger: { ...good.ledger, calls: [1] },
    records: {
      ...records,
      calls: [{ ...call, ...change }],
      accounts: [{ deposits: 100, charges, holds: 0, moved: 100 - charges }],
      webhookEvents: [
        ...records.webhookEvents,
        { id: 2, name: isTold ? "call.failed" : "call.ended", created_at: 2_000, body }
      ],
      deliveries: [delivery, failed],
      attempts: [...records.attempts, attempt(1, 2_005, 200, 2)]
    }
  }
}
