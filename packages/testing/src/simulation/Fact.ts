import type { Attempt, DeliveryId, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"

/** A delivery as a claim gave it to a process. Times are epoch milliseconds. */
export interface Taken {
  readonly key: number
  readonly id: DeliveryId
  readonly webhook: WebhookId
  readonly url: string
  readonly body: string
  readonly secret: string
  readonly results: number
  readonly claims: number
  readonly kind: Attempt["kind"]
}

/** A result as a process hands it over. */
export interface Judged extends Pick<DeliveryResult, "key" | "leaseId" | "kind" | "webhookStatus"> {
  readonly startedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly state: DeliveryResult["next"]["state"]
  /** When it is next due, if it is pending. */
  readonly dueAt: number | null
}

/** Something that happened. Whoever reads all of them knows the whole history. */
export type Fact =
  // What clients did.
  | {
      readonly _tag: "Subscribed"
      readonly webhook: WebhookId
      readonly url: string
      readonly events: ReadonlyArray<string>
      readonly secret: string
    }
  | {
      readonly _tag: "Published"
      readonly event: string
      readonly subject: string
      readonly body: string
      readonly deliveries: ReadonlyArray<{ readonly id: DeliveryId; readonly webhook: WebhookId }>
    }
  | { readonly _tag: "Tested"; readonly webhook: WebhookId; readonly id: DeliveryId; readonly body: string }
  | {
      readonly _tag: "Changed"
      readonly webhook: WebhookId
      readonly url?: string
      readonly events?: ReadonlyArray<string>
      readonly isActive?: boolean
    }
  | { readonly _tag: "Deleted"; readonly webhook: WebhookId }
  | { readonly _tag: "Rotated"; readonly webhook: WebhookId; readonly secret: string; readonly graceHours: number }
  | { readonly _tag: "Redelivered"; readonly webhook: WebhookId; readonly id: DeliveryId }
  // What was done to processes, to the clock, and by the store to its callers.
  | { readonly _tag: "Started"; readonly process: string; readonly owner: string | null }
  | { readonly _tag: "Stopping" | "Stopped" | "Killed" | "Paused" | "Resumed"; readonly process: string }
  | { readonly _tag: "Jumped"; readonly millis: number }
  | { readonly _tag: "Troubled"; readonly process: string; readonly operation: string; readonly trouble: string }
  | { readonly _tag: "Nudged"; readonly process: string }
  | { readonly _tag: "Settling" }
  // What processes asked of the store; `lost` when they were not told.
  | {
      readonly _tag: "Claimed"
      readonly process: string
      readonly now: number
      readonly leaseUntil: number
      readonly leaseId: string
      readonly taken: ReadonlyArray<Taken>
      readonly lost: boolean
    }
  | {
      readonly _tag: "Postponed"
      readonly process: string
      readonly keys: ReadonlyArray<number>
      readonly leaseId: string
      readonly dueAt: number
    }
  | {
      readonly _tag: "Recorded"
      readonly process: string
      readonly now: number
      readonly results: ReadonlyArray<Judged>
      readonly keys: ReadonlyArray<number>
      /** Whether it was done and the process knows; if not, whether it may try again. */
      readonly outcome: "told" | "lost" | "refused" | "refused for good"
    }
  /** The store left results to be offered again, because somebody holds their webhook. */
  | { readonly _tag: "PassedOver"; readonly process: string; readonly results: ReadonlyArray<Judged> }
  | {
      readonly _tag: "Released"
      readonly process: string
      readonly owner: string
      readonly now: number
      readonly count: number
    }
  // What passed between processes and receivers. A claim has one request at most.
  | {
      readonly _tag: "Sent"
      readonly process: string
      readonly claim: string
      readonly url: string
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
    }
  /** The process has the answer; null: it knows that there is none. */
  | { readonly _tag: "Answered"; readonly process: string; readonly claim: string; readonly status: number | null }

/** A fact, when it happened, and what the wall clock showed. */
export interface Entry {
  /** Milliseconds since the simulation began. */
  readonly elapsed: number
  /** Epoch milliseconds. */
  readonly wall: number
  readonly fact: Fact
}

/** A line for a reader: seconds since the beginning, the wall clock, and the fact without its long parts. */
export const show = ({ elapsed, fact, wall }: Entry): string => {
  const { _tag, ...rest } = fact
  const seconds = (elapsed / 1_000).toFixed(3).padStart(10)
  return `${seconds}s  ${new Date(wall).toISOString().slice(5, 23)}  ${_tag} ${JSON.stringify(rest, withoutLongParts)}`
}

const withoutLongParts = (key: string, value: unknown): unknown =>
  key === "body" || key === "headers" || key === "secret" ? undefined : value

/** Bytes as the text they are. */
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
