import { defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as WebhookQuota from "@frontdesk/core/webhook/WebhookQuota"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const webhook = (length: number) => ({ name: "n", url: "é".repeat(length), subscribedEvents: [] })

const refusalOf = (before: Array<ReturnType<typeof webhook>>, after: Array<ReturnType<typeof webhook>>) =>
  Result.match(WebhookQuota.check({ ...defaultLimits, webhooks: 3, webhookBytes: 1_000 }, before, after), {
    onSuccess: () => null,
    onFailure: ({ limit, resource }) => [resource, limit]
  })

describe("WebhookQuota", () => {
  it("a webhook beyond the maximum number, or beyond the maximum bytes of all, is rejected", () => {
    const three = [webhook(10), webhook(10), webhook(10)]
    expect(refusalOf(three, [...three, webhook(10)])).toEqual(["webhooks", 3])
    expect(refusalOf([webhook(200)], [webhook(200), webhook(200)])).toBeNull()
    expect(refusalOf([webhook(250)], [webhook(250), webhook(250)])).toEqual(["webhookBytes", 1_000])
  })

  it("above the limit, a change that makes the webhooks larger is rejected, and any other is accepted", () => {
    expect(refusalOf([webhook(900)], [webhook(899)])).toBeNull()
    expect(refusalOf([webhook(900)], [webhook(900)])).toBeNull()
    expect(refusalOf([webhook(900)], [webhook(901)])).toEqual(["webhookBytes", 1_000])
  })
})
