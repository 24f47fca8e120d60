import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import { needsOpening, SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import type { SecretUnreadable } from "../crypto/SecretError.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { WebhookId, WebhookSecrets } from "./Webhook.ts"

/** When a delivery is tried again whose secret cannot be opened: until then its owner may have a new one. */
const again = Duration.minutes(1)

/** How many opened secrets are remembered. */
const most = 10_000

/** Opens the secrets of deliveries that were claimed together, and answers those that can be sent. */
export type SecretOpening = (
  claimed: ReadonlyArray<ClaimedDelivery>,
  now: DateTime.Utc
) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>

/**
 * Opens secrets with the `SecretBox` of its context; opened ones are remembered by the text that is kept.
 *
 * A secret that cannot be opened is no failure of the receiver: its deliveries are put back, and the log says why. When
 * that fails too, their lease runs out.
 */
export const make: Effect.Effect<SecretOpening, never, DeliveryQueue> = Effect.gen(function* () {
  const box = yield* SecretBox
  const queue = yield* DeliveryQueue
  const known = new Map<string, { readonly accountId: AccountId; readonly secret: Redacted.Redacted<string> }>()

  const openOne = Effect.fnUntraced(function* (stored: Redacted.Redacted<string>, accountId: AccountId) {
    const text = Redacted.value(stored)
    const found = known.get(text)
    // The text alone is not enough: under another account it does not open.
    if (found?.accountId === accountId) return found.secret
    const secret = yield* box.open(stored, SecretContext.webhookSecret(accountId))
    if (known.size >= most) known.clear()
    known.set(text, { accountId, secret })
    return secret
  })

  const open = Effect.fnUntraced(function* (
    { accountId, secrets: { current, previous } }: ClaimedDelivery,
    now: DateTime.Utc
  ): Effect.fn.Return<WebhookSecrets, SecretUnreadable> {
    return {
      current: yield* openOne(current, accountId),
      previous:
        previous === null || DateTime.isGreaterThanOrEqualTo(now, previous.expiresAt)
          ? null
          : { ...previous, secret: yield* openOne(previous.secret, accountId) }
    }
  })

  const putBack = Effect.fnUntraced(
    function* (unreadable: ReadonlyArray<readonly [ClaimedDelivery, SecretUnreadable]>, now: DateTime.Utc) {
      const byWebhook = new Map<WebhookId, SecretUnreadable>()
      for (const [{ webhookId }, error] of unreadable) byWebhook.set(webhookId, error)
      for (const [webhookId, error] of byWebhook) {
        yield* Effect.annotateLogs(Effect.logError("deliveries wait: the webhook's secret cannot be opened", error), {
          webhookId
        })
      }
      const leases = Map.groupBy(unreadable, ([{ leaseId }]) => leaseId)
      for (const [leaseId, deliveries] of leases) {
        const keys = deliveries.map(([{ key }]) => key)
        yield* queue.postpone(keys, leaseId, DateTime.addDuration(now, again))
      }
    },
    Effect.ignoreCause({ log: "Warn" })
  )

  return Effect.fnUntraced(function* (claimed, now) {
    // Without a key nothing is done at all.
    if (!claimed.some(isSealed)) return claimed
    const ready: Array<ClaimedDelivery> = []
    const unreadable: Array<readonly [ClaimedDelivery, SecretUnreadable]> = []
    for (const delivery of claimed) {
      if (!isSealed(delivery)) ready.push(delivery)
      else {
        yield* Effect.match(open(delivery, now), {
          onFailure: (error) => unreadable.push([delivery, error]),
          onSuccess: (secrets) => ready.push({ ...delivery, secrets })
        })
      }
    }
    if (unreadable.length > 0) yield* putBack(unreadable, now)
    return ready
  })
})

const isSealed = ({ secrets: { current, previous } }: ClaimedDelivery): boolean =>
  needsOpening(Redacted.value(current)) || (previous !== null && needsOpening(Redacted.value(previous.secret)))
