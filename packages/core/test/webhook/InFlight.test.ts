import { describe, expect, it } from "@effect/vitest"
import * as InFlight from "@frontdesk/core/webhook/InFlight"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"

const [a, b] = [WebhookId.make(1), WebhookId.make(2)]

/** Two in all, of one webhook one; counts how often a place was told of. */
const make = () => {
  const told = { places: 0 }
  return { told, inFlight: InFlight.make(2, 1, () => void told.places++) }
}

describe("InFlight", () => {
  it("a webhook has its place again when its answer is there, the process when the result is recorded", () => {
    const { inFlight } = make()
    inFlight.forClaim()
    inFlight.start(a)
    expect([inFlight.room(), inFlight.byWebhook().get(a)]).toEqual([1, 1])
    inFlight.sent(a)
    expect([inFlight.room(), inFlight.byWebhook().get(a)]).toEqual([1, undefined])
    inFlight.recorded(1)
    expect(inFlight.room()).toBe(2)
  })

  it("a place is told of that the last claim did not see, and no other", () => {
    const { inFlight, told } = make()
    inFlight.forClaim()
    inFlight.start(a)
    expect(told.places).toBe(0)
    inFlight.sent(a)
    expect(told.places).toBe(1)
    expect(inFlight.forClaim()).toEqual(new Map())
    inFlight.start(b)
    expect(told.places).toBe(1)
  })

  it("a place that comes free while a claim is being made is told of when the claim has taken the one it saw", () => {
    const told = { places: 0 }
    const inFlight = InFlight.make(10, 2, () => void told.places++)
    inFlight.forClaim()
    inFlight.start(a)
    expect(inFlight.forClaim()).toEqual(new Map([[a, 1]]))
    inFlight.sent(a)
    expect(told.places).toBe(0)
    inFlight.start(a)
    expect(told.places).toBe(1)
  })

  it("slow webhooks share half of the places, given out webhook by webhook, in turn", () => {
    const inFlight = InFlight.make(8, 3, () => {})
    const slow = [1, 2, 3, 4, 5, 6].map((id) => WebhookId.make(id))
    for (const webhookId of slow) inFlight.took(webhookId, 1_001)
    const places = () => {
      const seen = inFlight.forClaim()
      return slow.map((webhookId) => 3 - (seen.get(webhookId) ?? 0))
    }
    expect(places()).toEqual([1, 1, 1, 1, 0, 0])
    for (const webhookId of slow.slice(0, 3)) inFlight.start(webhookId)
    inFlight.claimed()
    expect(places()).toEqual([0, 0, 0, 0, 1, 0])
    inFlight.claimed()
    expect(places()).toEqual([0, 0, 0, 0, 0, 1])
    for (const webhookId of slow.slice(0, 3)) inFlight.sent(webhookId)
    expect(places()).toEqual([1, 1, 1, 0, 0, 1])
    for (const webhookId of slow.slice(1)) inFlight.took(webhookId, 1_000)
    expect(places()).toEqual([3, 3, 3, 3, 3, 3])
  })

  it("a slow webhook that has its answer frees a place for another, which is told of", () => {
    const told = { places: 0 }
    const inFlight = InFlight.make(2, 1, () => void told.places++)
    for (const webhookId of [a, b]) inFlight.took(webhookId, 5_000)
    expect(inFlight.forClaim()).toEqual(new Map([[b, 1]]))
    inFlight.start(a)
    inFlight.claimed()
    expect(told.places).toBe(0)
    inFlight.sent(a)
    expect(told.places).toBeGreaterThan(0)
    expect(inFlight.forClaim()).toEqual(new Map([[a, 1]]))
  })

  it("slow webhooks with nothing to send let the others have their turn at once, each once", () => {
    const told = { places: 0 }
    const inFlight = InFlight.make(4, 1, () => void told.places++)
    for (let id = 1; id <= 6; id++) inFlight.took(WebhookId.make(id), 5_000)
    const turns: Array<number> = []
    do {
      told.places = 0
      const seen = inFlight.forClaim()
      for (let id = 1; id <= 6; id++) if (!seen.has(WebhookId.make(id))) turns.push(id)
      inFlight.claimed()
    } while (told.places > 0)
    expect(turns).toEqual([1, 2, 3, 4, 5, 6])
  })
})
