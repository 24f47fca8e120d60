import type { Attempt, DeliveryId, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"

/** A delivery as a claim returned it to a process. */
export interface ClaimedRow {
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

/** A result that a process records. Times are epoch milliseconds. */
export interface ResultRow extends Pick<DeliveryResult, "key" | "leaseId" | "kind" | "webhookStatus"> {
  readonly startedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly state: DeliveryResult["next"]["state"]
  /** When the delivery is due next. Null unless it is pending. */
  readonly dueAt: number | null
}

/** Something that happened. The facts together are the complete history. */
export type Fact =
  // Requests of clients.
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
  // Processes, the clock, faults of the store.
  | { readonly _tag: "Started"; readonly process: string; readonly owner: string | null }
  | { readonly _tag: "Stopping" | "Stopped" | "Killed" | "Paused" | "Resumed"; readonly process: string }
  | { readonly _tag: "Jumped"; readonly millis: number }
  | { readonly _tag: "StoreFault"; readonly process: string; readonly operation: string; readonly fault: string }
  | { readonly _tag: "Notified"; readonly process: string }
  | { readonly _tag: "Settling" }
  // Calls of the store by processes. `lost`: the call took effect, but the process did not receive the answer.
  | {
      readonly _tag: "Claimed"
      readonly process: string
      readonly now: number
      readonly leaseUntil: number
      readonly leaseId: string
      readonly deliveries: ReadonlyArray<ClaimedRow>
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
      readonly results: ReadonlyArray<ResultRow>
      readonly keys: ReadonlyArray<number>
      /** Refused: nothing was recorded, and the process may try again unless it is for good. */
      readonly outcome: "answered" | "lost" | "refused" | "refused for good"
    }
  /** The store deferred results because another writer has locked their webhook. */
  | { readonly _tag: "Deferred"; readonly process: string; readonly results: ReadonlyArray<ResultRow> }
  | {
      readonly _tag: "Released"
      readonly process: string
      readonly owner: string
      readonly now: number
      readonly count: number
    }
  // Requests and answers. A claim has at most one request.
  | {
      readonly _tag: "Sent"
      readonly process: string
      readonly claim: string
      readonly url: string
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
    }
  /** The process has received the status, or null when it knows that there is no answer. */
  | { readonly _tag: "Answered"; readonly process: string; readonly claim: string; readonly status: number | null }

/** A fact with its time. */
export interface Entry {
  /** Milliseconds since the simulation began. */
  readonly elapsed: number
  /** The wall clock, in epoch milliseconds. */
  readonly wall: number
  readonly fact: Fact
}

/**
 * Returns a line with the seconds since the beginning, the wall clock, and the fact without body, headers and secret.
 */
export const show = ({ elapsed, fact, wall }: Entry): string => {
  const { _tag, ...rest } = fact
  const seconds = (elapsed / 1_000).toFixed(3).padStart(10)
  return `${seconds}s  ${new Date(wall).toISOString().slice(5, 23)}  ${_tag} ${JSON.stringify(rest, withoutLongParts)}`
}

const withoutLongParts = (key: string, value: unknown): unknown =>
  key === "body" || key === "headers" || key === "secret" ? undefined : value

/** Decodes UTF-8. */
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
