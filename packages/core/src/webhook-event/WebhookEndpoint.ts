import type * as DateTime from "effect/DateTime"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"

/** The database id of a webhook. */
export const WebhookId = DatabaseId.pipe(Schema.brand("WebhookId"))

/** The database id of a webhook. */
export type WebhookId = typeof WebhookId.Type

/** The secrets that sign the deliveries of a webhook. After a rotation `previous` also signs until it expires. */
export interface WebhookSecrets {
  readonly current: Redacted.Redacted<string>
  readonly previous: { readonly secret: Redacted.Redacted<string>; readonly expiresAt: DateTime.Utc } | null
}
