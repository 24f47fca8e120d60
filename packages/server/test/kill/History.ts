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

/** The claims of deliveries that a trace of the servers' processes names. */
export interface Claims {
  /** How often each delivery was claimed, by its public id. */
  readonly ended: ReadonlyMap<string, number>
  /**
   * When each claim began whose process was killed before it had the answer, in milliseconds since the epoch. The
   * database may have committed such a claim, and nothing tells which deliveries it took.
   */
  readonly unanswered: ReadonlyArray<number>
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
  readonly claims: Claims
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

/** The claims that such a trace names. A process makes one at a time. */
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
