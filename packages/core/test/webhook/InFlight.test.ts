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

  it("a webhook whose results cannot be recorded has no places until they can, slow or not", () => {
    const inFlight = InFlight.make(8, 3, () => {})
    const seen = (webhookId: WebhookId) => inFlight.forClaim().get(webhookId) ?? 0
    inFlight.took(b, 1_001)
    inFlight.hold(new Set([a, b]), 0)
    expect([seen(a), seen(b)]).toEqual([3, 3])
    inFlight.hold(new Set([b]), 0)
    expect([seen(a), seen(b)]).toEqual([0, 3])
    expect(inFlight.claimed()).toBe(false)
    inFlight.hold(new Set(), 0)
    expect([seen(a), seen(b)]).toEqual([0, 0])
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

  /** Three slow webhooks with one place together; answers who may take something, and takes it for who wants to. */
  const makeShared = () => {
    const slow = [1, 2, 3].map((id) => WebhookId.make(id))
    const inFlight = InFlight.make(3, 8, () => {})
    for (const webhookId of slow) inFlight.took(webhookId, 5_000)
    const claim = (wants: (id: number) => boolean) => {
      const seen = inFlight.forClaim()
      const turn = slow.filter((webhookId) => (seen.get(webhookId) ?? 0) < 8)
      for (const webhookId of turn) if (wants(webhookId)) inFlight.start(webhookId)
      return turn
    }
    /** Claims until nobody has a turn to come; answers whose turn it was. */
    const round = (wants: (id: number) => boolean = () => false) => {
      inFlight.round()
      const turns = claim(wants)
      while (inFlight.claimed()) turns.push(...claim(wants))
      return turns
    }
    return { inFlight, claim, round }
  }

  it("slow webhooks with nothing to send leave their turn to the others in the same round, each once", () => {
    const { round } = makeShared()
    expect(round()).toEqual([1, 2, 3])
    expect(round()).toEqual([1, 2, 3])
  })

  it("a slow webhook has its turn in each round, whatever was taken or left in the one before", () => {
    const { inFlight, round } = makeShared()
    expect(round((id) => id === 2)).toEqual([1, 2])
    inFlight.sent(WebhookId.make(2))
    expect(round()).toEqual([3, 1, 2])
  })

  it("a claim that fails costs no slow webhook its turn in the next round", () => {
    const { claim, round } = makeShared()
    claim(() => false)
    expect(round((id) => id === 3)).toEqual([1, 2, 3])
  })
})
