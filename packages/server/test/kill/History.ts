import * as Schema from "effect/Schema"
import type { Ledger } from "./Ledger.ts"
import type * as Records from "./Records.ts"
import type { Arrival } from "./Receivers.ts"

/** A delivery that a server passed to its webhook sender. */
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

/** The claims of deliveries in the trace of the server processes. */
export interface Claims {
  /** The number of finished claims of each delivery, by its public id. */
  readonly ended: ReadonlyMap<string, number>
  /**
   * The begin of each claim whose process was killed before it received the result, in epoch milliseconds. The database may
   * have committed such a claim, and the trace does not show which deliveries it claimed.
   */
  readonly unanswered: ReadonlyArray<number>
}

/** Everything that the invariants check after the end of a world. */
export interface History {
  readonly ledger: Ledger
  readonly arrivals: ReadonlyArray<Arrival>
  readonly sends: ReadonlyArray<Send>
  readonly mails: ReadonlyArray<Mail>
  readonly records: Records.Records
  /** The wait before each retry, in milliseconds. */
  readonly delays: ReadonlyArray<number>
  /** The maximum difference between the clocks of servers and receivers, in milliseconds. */
  readonly clockError: number
  /** The errors in the logs of the servers. */
  readonly errors: ReadonlyArray<string>
  /** The number of lines in these logs. */
  readonly lines: number
  readonly claims: Claims
  /** Whether the servers had secret keys. */
  readonly isSealed: boolean
  /** The amount of work that was left after the maximum time. */
  readonly unsettled: number
}

/** The parts of a webhook event's body that the invariants check. */
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

/** Parses the body of a webhook event. */
const bodyOf = (bytes: Uint8Array): Body => Schema.decodeUnknownSync(Body)(Buffer.from(bytes).toString())

/** Returns the sends in the trace of the server processes. */
export const sendsOf = (trace: string): ReadonlyArray<Send> =>
  trace.split("\n").flatMap((line) => {
    const [at = "", , what, deliveryId] = line.split(" ")
    return what === "send" && deliveryId !== undefined ? [{ at: Number(at), deliveryId }] : []
  })

/** Returns the claims in the trace of the server processes. A process makes one claim at a time. */
export const claimsOf = (trace: string): Claims => {
  const ended = new Map<string, number>()
  const begun = new Map<string, number>()
  const unanswered: Array<number> = []
  for (const line of trace.split("\n")) {
    const [at = "", pid = "", what, ids = ""] = line.split(" ")
    if (what === "claiming") {
      const failed = begun.get(pid)
      if (failed !== undefined) unanswered.push(failed)
      begun.set(pid, Number(at))
    } else if (what === "claimed") {
      begun.delete(pid)
      for (const id of ids.split(",")) ended.set(id, (ended.get(id) ?? 0) + 1)
    }
  }
  return { ended, unanswered: [...unanswered, ...begun.values()] }
}

/** Returns the mails in the trace of the server processes. */
export const mailsOf = (trace: string): ReadonlyArray<Mail> =>
  trace.split("\n").flatMap((line) => {
    const [, , what, kind, eventId, title] = line.split(" ")
    return what === "mail" && kind !== undefined && title !== undefined
      ? [{ kind, eventId: Number(eventId), title }]
      : []
  })

/** A stored delivery with its webhook event, its attempts, the requests that arrived, and the sends in the trace. */
export interface DeliveryHistory {
  readonly delivery: Records.Delivery
  readonly event: Records.WebhookEvent
  readonly body: Body
  readonly attempts: ReadonlyArray<Records.Attempt>
  readonly arrivals: ReadonlyArray<Arrival>
  readonly sends: ReadonlyArray<Send>
}

/** Returns the history of every stored delivery, in the order of creation. */
export const deliveriesOf = ({ arrivals, records, sends }: History): ReadonlyArray<DeliveryHistory> => {
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

/** Returns the time at which the result of an attempt was known. */
export const endOf = (attempt: Records.Attempt): number => attempt.started_at + attempt.duration_ms
