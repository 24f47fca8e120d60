import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import { needsOpening, SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import type { SecretUnreadable } from "../crypto/SecretError.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import type { WebhookId, WebhookSecrets } from "../webhook-event/WebhookEndpoint.ts"

/** The maximum number of opened secrets in memory. */
const maxCached = 10_000

/** Divides claimed deliveries into those with opened secrets, and those whose secret cannot be opened. */
export type SecretResolver = (
  claimed: ReadonlyArray<ClaimedDelivery>,
  now: DateTime.Utc
) => Effect.Effect<readonly [ready: ReadonlyArray<ClaimedDelivery>, unreadable: ReadonlyArray<ClaimedDelivery>]>

/**
 * Makes a resolver that opens secrets with the `SecretBox` of its context, and caches them by the stored text.
 *
 * When the current secret of a webhook cannot be opened, its deliveries are not sent, and an error is logged for the
 * webhook. They do not count as failures of the receiver. When only the secret from before a rotation cannot be opened,
 * the current secret signs alone, and a warning is logged. So the owner can always repair a webhook by a rotation.
 */
export const make: Effect.Effect<SecretResolver> = Effect.gen(function* () {
  const box = yield* SecretBox
  const known = new Map<string, { readonly accountId: AccountId; readonly secret: Redacted.Redacted<string> }>()

  const openOne = Effect.fnUntraced(function* (stored: Redacted.Redacted<string>, accountId: AccountId) {
    const text = Redacted.value(stored)
    const found = known.get(text)
    // A secret is sealed for one account. A copy of the text in another account must not open from the cache.
    if (found?.accountId === accountId) return found.secret
    const secret = yield* box.open(stored, SecretContext.webhookSecret(accountId))
    if (known.size >= maxCached) known.clear()
    known.set(text, { accountId, secret })
    return secret
  })

  const open = openWith(openOne)

  return Effect.fnUntraced(function* (claimed, now) {
    // Without a sealed secret the deliveries pass unchanged.
    if (!claimed.some(isSealed)) return [claimed, []]
    const ready: Array<ClaimedDelivery> = []
    const unreadable: Array<ClaimedDelivery> = []
    const failures = new Map<WebhookId, SecretUnreadable>()
    const previousFailures = new Map<WebhookId, SecretUnreadable>()
    for (const delivery of claimed) {
      if (!isSealed(delivery)) ready.push(delivery)
      else {
        yield* Effect.match(open(delivery, now), {
          onFailure: (error) => {
            unreadable.push(delivery)
            failures.set(delivery.webhookId, error)
          },
          onSuccess: ({ unreadable: previousFailure, ...secrets }) => {
            ready.push({ ...delivery, secrets })
            if (previousFailure !== null) previousFailures.set(delivery.webhookId, previousFailure)
          }
        })
      }
    }
    yield* logUnreadable(
      Effect.logWarning,
      "the webhook's secret from before its rotation cannot be opened; only the current secret signs",
      previousFailures
    )
    yield* logUnreadable(
      Effect.logError,
      "deliveries are postponed, because the webhook's secret cannot be opened",
      failures
    )
    if (unreadable.length > 0) yield* Metric.update(DeliveryMetrics.unreadable, unreadable.length)
    return [ready, unreadable]
  })
})

/** The secrets of a webhook with the account for which they are sealed. */
type StoredSecrets = Pick<ClaimedDelivery, "accountId" | "secrets">

/** Opens one stored secret of an account. */
type OpenOne = (
  stored: Redacted.Redacted<string>,
  accountId: AccountId
) => Effect.Effect<Redacted.Redacted<string>, SecretUnreadable>

/** Returns a function that opens the secrets that sign at `now`. It leaves out a previous one that it cannot open. */
const openWith = (openOne: OpenOne) =>
  Effect.fnUntraced(function* (
    { accountId, secrets: { current, previous } }: StoredSecrets,
    now: DateTime.Utc
  ): Effect.fn.Return<WebhookSecrets & { readonly unreadable: SecretUnreadable | null }, SecretUnreadable> {
    const opened = { current: yield* openOne(current, accountId), previous: null, unreadable: null }
    if (previous === null || DateTime.isGreaterThanOrEqualTo(now, previous.expiresAt)) return opened
    return yield* Effect.match(openOne(previous.secret, accountId), {
      onFailure: (unreadable) => ({ ...opened, unreadable }),
      onSuccess: (secret) => ({ ...opened, previous: { ...previous, secret } })
    })
  })

/** Returns a function that opens secrets with the `SecretBox` of the context, without a cache and without a log. */
export const makeOpen = Effect.map(SecretBox, (box) =>
  openWith((secret, accountId) => box.open(secret, SecretContext.webhookSecret(accountId)))
)

/** Logs one line for each webhook. */
const logUnreadable = Effect.fnUntraced(function* (
  log: typeof Effect.logError,
  message: string,
  errors: ReadonlyMap<WebhookId, SecretUnreadable>
) {
  for (const [webhookId, error] of errors) yield* Effect.annotateLogs(log(message, error), { webhookId })
})

const isSealed = ({ secrets: { current, previous } }: ClaimedDelivery): boolean =>
  needsOpening(Redacted.value(current)) || (previous !== null && needsOpening(Redacted.value(previous.secret)))
