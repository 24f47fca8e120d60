import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { InstallationStore } from "../access/InstallationStore.ts"
import type { ConnectionKey } from "../external-calendar/CalendarConnection.ts"
import { CalendarConnectionStore, type StoredCredentials } from "../external-calendar/CalendarConnectionStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import { type StoredWebhookSecrets, WebhookStore } from "../webhook/WebhookStore.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"

/** How many webhooks or connections are read in one page. */
const pageSize = 250

/** A secret as it is stored. */
export interface StoredSecret {
  readonly kind: "webhook" | "installation" | "calendar"
  /** The webhook whose present secret this is. Null for any other secret, also for a webhook's previous secret. */
  readonly webhookId: WebhookId | null
  /** The connection whose credentials this secret is. Null for any other secret. */
  readonly connection: ConnectionKey | null
  /** The context with which it was sealed. */
  readonly context: string
  /** The stored text. */
  readonly stored: Redacted.Redacted<string>
  /** Replaces the stored text. Returns false, and changes nothing, when another text has replaced it meanwhile. */
  readonly replace: (after: Redacted.Redacted<StoredText>) => Effect.Effect<boolean, StorageError>
}

/** Returns a function that calls `use` with each page of all stored secrets. A page has at most 500 secrets. */
export const pages = Effect.gen(function* () {
  const webhooks = yield* WebhookStore
  const installation = yield* InstallationStore
  const connections = yield* CalendarConnectionStore

  return Effect.fnUntraced(function* <A, E>(use: (page: ReadonlyArray<StoredSecret>) => Effect.Effect<A, E>) {
    const own = yield* installation.secrets
    yield* use(
      own.map(({ name, stored }) => ({
        kind: "installation",
        webhookId: null,
        connection: null,
        context: SecretContext.installationSecret(name),
        stored,
        replace: (after) => installation.replaceSecret(name, stored, after)
      }))
    )
    for (let after: WebhookId | null = null; ;) {
      const page: ReadonlyArray<StoredWebhookSecrets> = yield* webhooks.secrets(after, pageSize)
      const last = page.at(-1)
      if (last === undefined) break
      after = last.webhookId
      yield* use(
        page.flatMap(({ accountId, current, previous, webhookId }) => {
          const secret = (stored: Redacted.Redacted<string>, isPresent: boolean): StoredSecret => ({
            kind: "webhook",
            webhookId: isPresent ? webhookId : null,
            connection: null,
            context: SecretContext.webhookSecret(accountId),
            stored,
            replace: (next) => webhooks.replaceSecret(webhookId, stored, next)
          })
          return [secret(current, true), ...(previous === null ? [] : [secret(previous, false)])]
        })
      )
    }
    for (let after: ConnectionKey | null = null; ;) {
      const page: ReadonlyArray<StoredCredentials> = yield* connections.secrets(after, pageSize)
      const last = page.at(-1)
      if (last === undefined) return
      after = last
      yield* use(
        page.map(({ stored, ...connection }) => ({
          kind: "calendar",
          webhookId: null,
          connection,
          context: SecretContext.calendarCredentials(connection),
          stored,
          replace: (next) => connections.replaceSecret(connection, stored, next)
        }))
      )
    }
  })
})
