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

/** How many opened secrets are remembered. */
const maxRemembered = 10_000

/**
 * Divides deliveries that were claimed into those that can be sent, their secrets opened, and those that are to be put
 * back.
 */
export type SecretResolver = (
  claimed: ReadonlyArray<ClaimedDelivery>,
  now: DateTime.Utc
) => Effect.Effect<readonly [ready: ReadonlyArray<ClaimedDelivery>, unreadable: ReadonlyArray<ClaimedDelivery>]>

/**
 * Opens secrets with the `SecretBox` of its context; opened ones are remembered by the text that is kept.
 *
 * A secret that cannot be opened is no failure of the receiver: its deliveries wait, and the log says why. One from
 * before a rotation that cannot be opened holds nothing up: the present one signs alone, so that a rotation is the way
 * out.
 */
export const make: Effect.Effect<SecretResolver> = Effect.gen(function* () {
  const box = yield* SecretBox
  const known = new Map<string, { readonly accountId: AccountId; readonly secret: Redacted.Redacted<string> }>()

  const openOne = Effect.fnUntraced(function* (stored: Redacted.Redacted<string>, accountId: AccountId) {
    const text = Redacted.value(stored)
    const found = known.get(text)
    // The text alone is not enough: under another account it does not open.
    if (found?.accountId === accountId) return found.secret
    const secret = yield* box.open(stored, SecretContext.webhookSecret(accountId))
    if (known.size >= maxRemembered) known.clear()
    known.set(text, { accountId, secret })
    return secret
  })

  const open = Effect.fnUntraced(function* (
    { accountId, secrets: { current, previous } }: ClaimedDelivery,
    now: DateTime.Utc
  ): Effect.fn.Return<WebhookSecrets & { readonly unreadable: SecretUnreadable | null }, SecretUnreadable> {
    const opened = { current: yield* openOne(current, accountId), previous: null, unreadable: null }
    if (previous === null || DateTime.isGreaterThanOrEqualTo(now, previous.expiresAt)) return opened
    return yield* Effect.match(openOne(previous.secret, accountId), {
      onFailure: (unreadable) => ({ ...opened, unreadable }),
      onSuccess: (secret) => ({ ...opened, previous: { ...previous, secret } })
    })
  })

  return Effect.fnUntraced(function* (claimed, now) {
    // Without a key nothing is done at all.
    if (!claimed.some(isSealed)) return [claimed, []]
    const ready: Array<ClaimedDelivery> = []
    const unreadable: Array<ClaimedDelivery> = []
    const waiting = new Map<WebhookId, SecretUnreadable>()
    const alone = new Map<WebhookId, SecretUnreadable>()
    for (const delivery of claimed) {
      if (!isSealed(delivery)) ready.push(delivery)
      else {
        yield* Effect.match(open(delivery, now), {
          onFailure: (error) => {
            unreadable.push(delivery)
            waiting.set(delivery.webhookId, error)
          },
          onSuccess: ({ unreadable: former, ...secrets }) => {
            ready.push({ ...delivery, secrets })
            if (former !== null) alone.set(delivery.webhookId, former)
          }
        })
      }
    }
    yield* logUnreadable(Effect.logWarning, "the webhook's secret from before its rotation cannot be opened", alone)
    yield* logUnreadable(Effect.logError, "deliveries wait: the webhook's secret cannot be opened", waiting)
    if (unreadable.length > 0) yield* Metric.update(DeliveryMetrics.unreadable, unreadable.length)
    return [ready, unreadable]
  })
})

/** One line for each webhook. */
const logUnreadable = Effect.fnUntraced(function* (
  log: typeof Effect.logError,
  message: string,
  errors: ReadonlyMap<WebhookId, SecretUnreadable>
) {
  for (const [webhookId, error] of errors) yield* Effect.annotateLogs(log(message, error), { webhookId })
})

const isSealed = ({ secrets: { current, previous } }: ClaimedDelivery): boolean =>
  needsOpening(Redacted.value(current)) || (previous !== null && needsOpening(Redacted.value(previous.secret)))
