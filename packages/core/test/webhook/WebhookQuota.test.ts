import { defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as WebhookQuota from "@frontdesk/core/webhook/WebhookQuota"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const webhook = (length: number) => ({ name: "n", url: "é".repeat(length), subscribedEvents: [] })

const refused = (before: Array<ReturnType<typeof webhook>>, after: Array<ReturnType<typeof webhook>>) =>
  Result.match(WebhookQuota.check({ ...defaultLimits, webhooks: 3, webhookBytes: 1_000 }, before, after), {
    onSuccess: () => null,
    onFailure: ({ limit, resource }) => [resource, limit]
  })

describe("The room for webhooks of an account", () => {
  it("a webhook beyond the number or the bytes of all together is refused", () => {
    const three = [webhook(10), webhook(10), webhook(10)]
    expect(refused(three, [...three, webhook(10)])).toEqual(["webhooks", 3])
    expect(refused([webhook(200)], [webhook(200), webhook(200)])).toBeNull()
    expect(refused([webhook(250)], [webhook(250), webhook(250)])).toEqual(["webhookBytes", 1_000])
  })

  it("a change that makes webhooks smaller is accepted above the limit, a larger one is refused", () => {
    expect(refused([webhook(900)], [webhook(899)])).toBeNull()
    expect(refused([webhook(900)], [webhook(900)])).toBeNull()
    expect(refused([webhook(900)], [webhook(901)])).toEqual(["webhookBytes", 1_000])
  })
})
