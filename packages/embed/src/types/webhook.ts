import type { CallOptions, List, PageQuery, Time } from "./common.ts"

/** The name of a webhook event. */
export type WebhookEventName =
  | "call.started"
  | "call.ended"
  | "call.failed"
  | "call.transcript"
  | "call.recording"
  | "call.summary"
  | "call.tool"
  | "calendar.created"
  | "calendar.updated"
  | "calendar.cancelled"
  | "calendar.completed"
  | "calendar.reminder"

/** A webhook subscription, without its secret. */
export interface Webhook {
  readonly id: number
  readonly accountId: number
  readonly name: string
  readonly url: string
  readonly subscribedEvents: ReadonlyArray<WebhookEventName>
  /** `failed`: a delivery has used all its retries. Webhook events are still sent. */
  readonly status: "active" | "failed" | "disabled"
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastDeliveryAt: string | null
  readonly lastSuccessAt: string | null
  readonly lastFailureAt: string | null
  /** The HTTP status of the last failed attempt. Null when it had no answer, or when no attempt has failed. */
  readonly lastFailureStatus: number | null
  /** The number of failed attempts since the last success. */
  readonly consecutiveFailures: number
}

/** A webhook with its new secret, which only this result has. */
export interface IssuedWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

/** The state of a delivery. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "cancelled"

/** One try to send a delivery. */
export interface Attempt {
  /** Counts automatic and manual attempts together, from 1. */
  readonly number: number
  readonly kind: "automatic" | "manual"
  readonly startedAt: string
  readonly durationMs: number
  /** The HTTP status of the answer. Null when there was no answer. */
  readonly statusCode: number | null
  /** Why the attempt failed. Null when it succeeded. */
  readonly error: string | null
}

/** One webhook event for one webhook. */
export interface Delivery {
  readonly id: string
  readonly webhookId: number
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly createdAt: string
  /** When the next attempt is due. Null when none is planned, or while one is being made. */
  readonly nextAttemptAt: string | null
  /** The newest attempts, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** A delivery with its request and the last answer. */
export interface DeliveryDetail {
  readonly delivery: Delivery
  readonly request: {
    /** The present URL of the webhook. */
    readonly url: string
    /** The headers of the last attempt, signed with the present secret. */
    readonly headers: Readonly<Record<string, string>>
    /**
     * Whether the headers have the signatures. `not_permitted`: the caller may not write webhooks. `secret_unreadable`: the
     * secret cannot be opened.
     */
    readonly signatures: "present" | "not_permitted" | "secret_unreadable"
    readonly body: string
    /** The length of the body in bytes of UTF-8. */
    readonly bodyBytes: number
  }
  /** The first part of the body of the last answer, "" when there was none. Null before the first attempt. */
  readonly answer: string | null
}

/** The webhook to create. */
export interface CreateWebhook {
  readonly name: string
  /** An https URL with a public address. */
  readonly url: string
  readonly subscribedEvents: ReadonlyArray<WebhookEventName>
}

/** The webhook that replaces the stored one. The secret stays. */
export interface PutWebhook extends CreateWebhook {
  /** False disables the webhook. When absent, a disabled webhook stays disabled. */
  readonly isActive?: boolean | null | undefined
}

/** A change of a webhook. An absent field keeps its value. */
export interface PatchWebhook {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly subscribedEvents?: ReadonlyArray<WebhookEventName> | undefined
  readonly isActive?: boolean | undefined
}

/** The options of a rotation. */
export interface RotateSecret {
  /** For how many hours the old secret signs too, 0 to 168. Default: 24. */
  readonly graceHours?: number | null | undefined
}

/** The filter of a list of deliveries. */
export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined
}

/** Selects the failed deliveries to send again, by the times of their webhook events. */
export interface RedeliverFailed {
  readonly since: Time
  /** Default: now. */
  readonly until?: Time | null | undefined
  /** `after` of the previous result. Default: the oldest delivery. */
  readonly after?: number | null | undefined
}

/** How far a call to send failed deliveries again has come. */
export interface FailedRedeliveries {
  /** How many deliveries the call has made due. */
  readonly redelivered: number
  readonly until: string
  /** Where the next call continues; null when no failed delivery is left. */
  readonly after: number | null
}

/** The webhooks of the caller's account. */
export interface Webhooks {
  /** Adds a webhook. Only this answer and that of `rotateSecret` have the secret. */
  readonly create: (webhook: CreateWebhook, options?: CallOptions) => Promise<IssuedWebhook>
  /** Lists all webhooks. */
  readonly list: (options?: CallOptions) => List<Webhook>
  readonly get: (id: number, options?: CallOptions) => Promise<Webhook>
  /** Replaces a webhook, and returns it. */
  readonly put: (id: number, webhook: PutWebhook, options?: CallOptions) => Promise<Webhook>
  /** Changes the given fields of a webhook, and returns it. */
  readonly patch: (id: number, change: PatchWebhook, options?: CallOptions) => Promise<Webhook>
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
  /** Gives a webhook a new secret. */
  readonly rotateSecret: (id: number, rotation?: RotateSecret, options?: CallOptions) => Promise<IssuedWebhook>
  /** Sends the webhook event `webhook.test`, and returns the id of its delivery. */
  readonly test: (id: number, options?: CallOptions) => Promise<string>
  /** Lists the deliveries of a webhook, newest first, at most 10,000. */
  readonly deliveries: (id: number, query?: DeliveryQuery & PageQuery, options?: CallOptions) => List<Delivery>
  /** Returns a delivery with its request and the last answer. */
  readonly delivery: (id: number, deliveryId: string, options?: CallOptions) => Promise<DeliveryDetail>
  /** Makes a delivery due for one more attempt, and returns it. */
  readonly redeliver: (id: number, deliveryId: string, options?: CallOptions) => Promise<Delivery>
  /** Makes failed deliveries due for one more attempt each, the oldest first, at most 5,000 in one call. */
  readonly redeliverFailed: (
    id: number,
    selected: RedeliverFailed,
    options?: CallOptions
  ) => Promise<FailedRedeliveries>
}

/** A webhook with the number of its deliveries that are not finished. */
export interface WebhookOverview {
  readonly webhook: Webhook
  /** The number of deliveries that are pending or in flight. */
  readonly backlog: number
}

/** A delivery with the beginning of the last answer, as the operator sees it. */
export interface DeliveryReport extends Delivery {
  /** The first part of the body of the last answer, "" when there was none. Null before the first attempt. */
  readonly lastAnswer: string | null
}

/** The webhooks and deliveries of every account, for the operator. */
export interface WebhookOperations {
  /** Lists the webhooks of an account. */
  readonly list: (accountId: number, options?: CallOptions) => List<WebhookOverview>
  readonly get: (id: number, options?: CallOptions) => Promise<Webhook>
  /** Lists the deliveries of a webhook, newest first, at most 10,000. */
  readonly deliveries: (id: number, query?: DeliveryQuery & PageQuery, options?: CallOptions) => List<DeliveryReport>
  readonly delivery: (id: string, options?: CallOptions) => Promise<DeliveryReport>
  /** Makes a delivery due for one more attempt, and returns it. */
  readonly redeliver: (id: string, options?: CallOptions) => Promise<Delivery>
  /**
   * Makes the failed deliveries of webhook events since a time due for one more attempt each, and returns how many.
   * `onProgress` receives the number so far after each step.
   */
  readonly redeliverFailed: (
    id: number,
    since: Time,
    onProgress?: (count: number) => void | Promise<void>,
    options?: CallOptions
  ) => Promise<number>
  /** Sends the webhook event `webhook.test`, and returns the id of its delivery. */
  readonly test: (id: number, options?: CallOptions) => Promise<string>
}
