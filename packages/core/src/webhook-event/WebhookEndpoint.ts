import type * as DateTime from "effect/DateTime"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"

/** Database id of a webhook. */
export const WebhookId = DatabaseId.pipe(Schema.brand("WebhookId"))

/** Database id of a webhook. */
export type WebhookId = typeof WebhookId.Type

/** What signs the deliveries of a webhook; after a rotation the old secret signs too until its time is over. */
export interface WebhookSecrets {
  readonly current: Redacted.Redacted<string>
  readonly previous: { readonly secret: Redacted.Redacted<string>; readonly expiresAt: DateTime.Utc } | null
}
