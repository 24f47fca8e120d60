import { describe, expect, it } from "@effect/vitest"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import * as Duration from "effect/Duration"

describe("DeliverySettings", () => {
  it("the defaults are those of the contract", () => {
    const settings = new DeliverySettings({})
    expect(settings.retryDelays.map(Duration.toMinutes)).toEqual([1, 5, 30])
    expect(Duration.toSeconds(settings.timeout)).toBe(10)
    expect(settings.headerPrefix).toBe("X-Service-")
  })

  it("the other defaults are those that docs/limits.md and docs/settings.md give", () => {
    const { batchSize, lease, maxClaims, maxInFlight, maxInFlightPerWebhook } = new DeliverySettings({})
    expect(Duration.toSeconds(lease)).toBe(30)
    expect({ batchSize, maxClaims, maxInFlight, maxInFlightPerWebhook }).toEqual({
      batchSize: 50,
      maxClaims: 10,
      maxInFlight: 256,
      maxInFlightPerWebhook: 8
    })
  })

  it("a lease that is less than 10 seconds longer than the timeout is rejected", () => {
    const make = (timeout: number, lease: number) => () =>
      new DeliverySettings({ timeout: Duration.seconds(timeout), lease: Duration.seconds(lease) })
    expect(make(20, 30)).not.toThrow()
    expect(make(20.001, 30)).toThrow("Schema validation failed")
    expect(make(10, 19)).toThrow("Schema validation failed")
  })

  it.each([
    { maxInFlight: 0 },
    { batchSize: 1.5 },
    { timeout: Duration.zero },
    { timeout: Duration.infinity },
    { pollInterval: Duration.millis(-1) },
    { headerPrefix: "X-Ser vice" },
    { headerPrefix: "X:\r\n" },
    // The case of header names does not matter, so a request would have `Webhook-Signature` twice.
    { headerPrefix: "Webhook-" },
    { owner: "" }
  ])("an invalid value is rejected: %o", (options) => {
    expect(() => new DeliverySettings(options)).toThrow("Schema validation failed")
  })
})
