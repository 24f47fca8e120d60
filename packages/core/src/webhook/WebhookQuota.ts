import * as Result from "effect/Result"
import { type Limits, LimitReached } from "../access/AccountLimits.ts"
import * as JsonSize from "../values/JsonSize.ts"
import type { Webhook } from "./Webhook.ts"

/** The fields of a webhook whose bytes count. */
type Counted = Pick<Webhook, "name" | "url" | "subscribedEvents">

const bytesOf = (webhooks: ReadonlyArray<Counted>): number =>
  webhooks.reduce((sum, { name, subscribedEvents, url }) => sum + JsonSize.bytesOf({ name, subscribedEvents, url }), 0)

/**
 * Fails with `LimitReached` when a change would exceed the maximum number of webhooks of an account, or the maximum of
 * their bytes together. A change that makes them fewer or smaller never fails.
 *
 * @param before all webhooks of the account before the change
 * @param after all webhooks of the account after the change
 */
export const check = (
  limits: Limits,
  before: ReadonlyArray<Counted>,
  after: ReadonlyArray<Counted>
): Result.Result<void, LimitReached> => {
  if (after.length > limits.webhooks && after.length > before.length) {
    return Result.fail(new LimitReached({ resource: "webhooks", limit: limits.webhooks }))
  }
  const bytes = bytesOf(after)
  return bytes > limits.webhookBytes && bytes > bytesOf(before)
    ? Result.fail(new LimitReached({ resource: "webhookBytes", limit: limits.webhookBytes }))
    : Result.void
}
