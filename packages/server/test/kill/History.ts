import * as Schema from "effect/Schema"
import type { Ledger } from "./Ledger.ts"
import type * as Records from "./Records.ts"
import type { Arrival } from "./Receivers.ts"

/** A delivery that the server handed to its sender. */
export interface Send {
  readonly at: number
  readonly deliveryId: string
}

/** A mail to a customer. */
export interface Mail {
  readonly kind: string
  readonly eventId: number
  readonly title: string
}

/** All that is known of a world when it is over. */
export interface History {
  readonly ledger: Ledger
  readonly arrivals: ReadonlyArray<Arrival>
  readonly sends: ReadonlyArray<Send>
  readonly mails: ReadonlyArray<Mail>
  readonly records: Records.Records
  /** The waits before the retries, in milliseconds. */
  readonly delays: ReadonlyArray<number>
  /** By how much the servers' clocks may differ from that of the receivers, and from each other, in milliseconds. */
  readonly clockError: number
  /** What the servers have logged as errors. */
  readonly errors: ReadonlyArray<string>
  /** How many lines they have logged. */
  readonly lines: number
  /** How often each delivery was taken to be sent, by its public id. */
  readonly claimed: ReadonlyMap<string, number>
  /** Whether the servers had a key to seal secrets with. */
  readonly isSealed: boolean
  /** How much was left to do when patience ended. */
  readonly unsettled: number
}

/** What a body says. */
export interface Body {
  readonly event_type: string
  readonly calendar_event?: { readonly id: number; readonly title: string; readonly start_time: string }
  readonly call?: { readonly id: number; readonly status: string }
}

const Body = Schema.fromJsonString(
  Schema.Struct({
    event_type: Schema.String,
    calendar_event: Schema.optionalKey(
      Schema.Struct({ id: Schema.Int, title: Schema.String, start_time: Schema.String })
    ),
    call: Schema.optionalKey(Schema.Struct({ id: Schema.Int, status: Schema.String }))
  })
)

/** Reads a body. */
const bodyOf = (bytes: Uint8Array): Body => Schema.decodeUnknownSync(Body)(Buffer.from(bytes).toString())

/** The sends that a trace of the servers' processes names. */
export const sendsOf = (trace: string): ReadonlyArray<Send> =>
  trace.split("\n").flatMap((line) => {
    const [at = "", , what, deliveryId] = line.split(" ")
    return what === "send" && deliveryId !== undefined ? [{ at: Number(at), deliveryId }] : []
  })

/** How often such a trace says that each delivery was taken. */
export const claimedOf = (trace: string): ReadonlyMap<string, number> => {
  const claimed = new Map<string, number>()
  for (const line of trace.split("\n")) {
    const [, , what, deliveryId] = line.split(" ")
    if (what === "claimed" && deliveryId !== undefined) claimed.set(deliveryId, (claimed.get(deliveryId) ?? 0) + 1)
  }
  return claimed
}

/** The mails that such a trace names. */
export const mailsOf = (trace: string): ReadonlyArray<Mail> =>
  trace.split("\n").flatMap((line) => {
    const [, , what, kind, eventId, title] = line.split(" ")
    return what === "mail" && kind !== undefined && title !== undefined
      ? [{ kind, eventId: Number(eventId), title }]
      : []
  })

/** A delivery with everything that belongs to it. */
export interface Told {
  readonly delivery: Records.Delivery
  readonly event: Records.WebhookEvent
  readonly body: Body
  readonly attempts: ReadonlyArray<Records.Attempt>
  readonly arrivals: ReadonlyArray<Arrival>
  readonly sends: ReadonlyArray<Send>
}

/** Every recorded delivery with everything that belongs to it, in the order in which they were added. */
export const deliveriesOf = ({ arrivals, records, sends }: History): ReadonlyArray<Told> => {
  const attempts = Map.groupBy(records.attempts, (attempt) => attempt.delivery_id)
  const arrived = Map.groupBy(arrivals, (arrival) => arrival.deliveryId)
  const sent = Map.groupBy(sends, (send) => send.deliveryId)
  const events = new Map(records.webhookEvents.map((event) => [event.id, { event, body: bodyOf(event.body) }]))
  return records.deliveries.flatMap((delivery) => {
    const found = events.get(delivery.event_id)
    if (found === undefined) return []
    return [
      {
        delivery,
        ...found,
        attempts: attempts.get(delivery.id) ?? [],
        arrivals: arrived.get(delivery.delivery_id) ?? [],
        sends: sent.get(delivery.delivery_id) ?? []
      }
    ]
  })
}

/** When the result of a try was known. */
export const endOf = (attempt: Records.Attempt): number => attempt.started_at + attempt.duration_ms
