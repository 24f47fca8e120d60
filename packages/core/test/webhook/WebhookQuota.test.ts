import { defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as WebhookQuota from "@frontdesk/core/webhook/WebhookQuota"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

type Counted = Parameters<typeof WebhookQuota.check>[1][number]

const webhook = (length: number): Counted => ({ name: "n", url: "é".repeat(length), subscribedEvents: [] })

const refusalOf = (before: ReadonlyArray<Counted>, after: ReadonlyArray<Counted>) =>
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

  it("the maximum number and the maximum bytes themselves are accepted", () => {
    const two = [webhook(10), webhook(10)]
    expect(refusalOf(two, [...two, webhook(10)])).toBeNull()
    // A webhook with an empty URL has 43 bytes of JSON.
    expect(refusalOf([], [{ ...webhook(0), url: "x".repeat(957) }])).toBeNull()
    expect(refusalOf([], [{ ...webhook(0), url: "x".repeat(958) }])).toEqual(["webhookBytes", 1_000])
  })

  it("the bytes of a webhook are those of its name, its URL and its events", () => {
    const long = "x".repeat(1_000)
    expect(refusalOf([], [{ ...webhook(0), name: long }])).toEqual(["webhookBytes", 1_000])
    const events = Array.from({ length: 80 }, () => "call.started" as const)
    expect(refusalOf([], [{ ...webhook(0), subscribedEvents: events }])).toEqual(["webhookBytes", 1_000])
  })

  it("above the maximum number, a change that adds no webhook is accepted", () => {
    const five = Array.from({ length: 5 }, () => webhook(10))
    expect(refusalOf(five, five)).toBeNull()
    expect(refusalOf(five, five.slice(1))).toBeNull()
    expect(refusalOf(five, [...five, webhook(10)])).toEqual(["webhooks", 3])
  })

  it("above the limit, a change that makes the webhooks larger is rejected, and any other is accepted", () => {
    expect(refusalOf([webhook(900)], [webhook(899)])).toBeNull()
    expect(refusalOf([webhook(900)], [webhook(900)])).toBeNull()
    expect(refusalOf([webhook(900)], [webhook(901)])).toEqual(["webhookBytes", 1_000])
  })
})
