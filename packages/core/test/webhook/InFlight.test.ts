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
})
