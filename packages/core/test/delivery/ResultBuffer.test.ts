import * as ResultBuffer from "@frontdesk/core/delivery/ResultBuffer"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"

describe("ResultBuffer", () => {
  it("of too many results that wait for others the first are given up, but one of each webhook stays (D-DEL-21)", () => {
    const [a, b] = [result(1, 1), result(2, 1)]
    let buffer = ResultBuffer.make({ size: 50, delayMillis: 10, maxDeferred: 3 })
    /** Offers what waits and these, of which the store records those above a key. */
    const settledBy = (results: ReadonlyArray<DeliveryResult>, busyBelow = Number.POSITIVE_INFINITY) => {
      for (const one of results) buffer = ResultBuffer.add(buffer, one, 0)
      const offering = ResultBuffer.offer(buffer)
      const deferred = offering.offered.map(({ key }) => key).filter((key) => key < busyBelow)
      const outcome = ResultBuffer.recorded(offering, deferred, 0)
      buffer = outcome.buffer
      return outcome.settled
    }
    expect(settledBy([a, b, result(3, 2)])).toEqual([])
    expect(settledBy([result(4, 3), result(5, 4)])).toEqual([a])
    expect([...buffer.deferred.keys()].map(({ key }) => key)).toEqual([2, 3, 4, 5])
    expect(settledBy([result(6, 1)])).toEqual([b])
    expect(settledBy([], 5)).toMatchObject([{ key: 5 }, { key: 6 }])
    expect(buffer.deferred.size).toBe(2)
  })
})

const result = (key: number, webhook: number): DeliveryResult => ({
  key,
  leaseId: "lease",
  webhookId: WebhookId.make(webhook),
  url: "https://a.example",
  kind: "automatic",
  attempt: { startedAt: DateTime.makeUnsafe(0), durationMs: 1, statusCode: 204, error: null },
  responseBody: "",
  next: { state: "delivered" },
  webhookStatus: "active"
})
