import { AccountId } from "@frontdesk/core/access/Account"
import * as ResultBuffer from "@frontdesk/core/delivery/ResultBuffer"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"

const settings = { size: 4, delayMillis: 10, maxDeferred: 3 }
const unavailable = new StorageError({ reason: "unavailable", operation: "a test", cause: "a test" })
const corrupt = new StorageError({ reason: "corrupt", operation: "a test", cause: "a test" })

/** Returns a buffer with one more result for each key. The webhook has the key as its id. */
const filled = (
  keys: ReadonlyArray<number>,
  now = 0,
  buffer = ResultBuffer.make(settings)
): ResultBuffer.ResultBuffer => keys.reduce((filling, key) => ResultBuffer.add(filling, result(key, key), now), buffer)

const keysOf = (results: Iterable<DeliveryResult>) => [...results].map(({ key }) => key)

describe("ResultBuffer.offerAt", () => {
  it("is infinite without results and while the store is recording", () => {
    expect(ResultBuffer.offerAt(ResultBuffer.make(settings), 0, false)).toBe(Number.POSITIVE_INFINITY)
    expect(ResultBuffer.offerAt(filled([2], 0, ResultBuffer.offer(filled([1]))), 0, true)).toBe(
      Number.POSITIVE_INFINITY
    )
  })

  it("is 10 ms after the first new result, or at once when the process is ending", () => {
    const two = filled([2], 105, filled([1], 100))
    expect(ResultBuffer.offerAt(two, 9, false)).toBe(110)
    expect(ResultBuffer.offerAt(two, 9, true)).toBe(0)
  })

  it("is at once for a full batch, unless more deliveries are being sent than results wait", () => {
    expect(ResultBuffer.offerAt(filled([1, 2, 3], 100), 0, false)).toBe(110)
    expect(ResultBuffer.offerAt(filled([1, 2, 3, 4], 100), 4, false)).toBe(0)
    expect(ResultBuffer.offerAt(filled([1, 2, 3, 4], 100), 5, false)).toBe(110)
  })

  it("is after a rest for deferred results, and for new results only when the process is ending", () => {
    const { buffer } = ResultBuffer.recorded(ResultBuffer.offer(filled([1])), [1], 1_000)
    expect(ResultBuffer.offerAt(buffer, 0, false)).toBe(1_010)
    const both = filled([2, 3, 4, 5], 1_001, buffer)
    expect(ResultBuffer.offerAt(both, 0, false)).toBe(0)
    expect(ResultBuffer.offerAt(both, 0, true)).toBe(1_010)
  })
})

describe("ResultBuffer.refuse", () => {
  it("offers refused results again in halves, alternating with new results", () => {
    const refused = ResultBuffer.refuse(ResultBuffer.offer(filled([1, 2, 3, 4, 5])), unavailable, 1_000)
    expect(refused.reports).toEqual([{ _tag: "ResultsRefused", error: unavailable }])
    expect(refused.settled).toEqual([])
    expect([...refused.buffer.blockedWebhooks]).toEqual([1, 2, 3, 4, 5])
    expect(ResultBuffer.countWaiting(refused.buffer)).toBe(5)
    expect(ResultBuffer.offerAt(refused.buffer, 0, false)).toBe(1_010)

    const firstHalf = ResultBuffer.offer(filled([6], 1_011, refused.buffer))
    expect(keysOf(firstHalf.offered)).toEqual([1, 2, 3])
    expect(keysOf(ResultBuffer.all(firstHalf))).toEqual([1, 2, 3, 4, 5, 6])
    expect(ResultBuffer.countWaiting(firstHalf)).toBe(6)
    const afterHalf = ResultBuffer.recorded(firstHalf, [], 1_012)
    expect(keysOf(afterHalf.settled)).toEqual([1, 2, 3])
    expect(afterHalf.buffer.refusal).toBe(unavailable)
    expect(ResultBuffer.offerAt(afterHalf.buffer, 0, false)).toBe(1_022)

    const fresh = ResultBuffer.offer(afterHalf.buffer)
    expect(keysOf(fresh.offered)).toEqual([6])
    // Not reported again, because refused results still wait.
    const again = ResultBuffer.refuse(fresh, unavailable, 1_022)
    expect(again.reports).toEqual([])
    const secondHalf = ResultBuffer.offer(again.buffer)
    expect(keysOf(secondHalf.offered)).toEqual([4, 5])
    const last = ResultBuffer.offer(ResultBuffer.recorded(secondHalf, [], 1_023).buffer)
    expect(keysOf(last.offered)).toEqual([6])
    const { buffer } = ResultBuffer.recorded(last, [], 1_024)
    expect([ResultBuffer.all(buffer), buffer.refusal, buffer.restUntil]).toEqual([[], null, 0])
  })

  it("lets new results rest while refused ones wait", () => {
    const { buffer } = ResultBuffer.refuse(ResultBuffer.offer(filled([1, 2])), unavailable, 1_000)
    const half = ResultBuffer.refuse(ResultBuffer.offer(filled([3, 4, 5, 6], 1_000, buffer)), unavailable, 1_010)
    expect(ResultBuffer.offerAt(half.buffer, 0, false)).toBe(1_030)
  })

  it("doubles the rest with each offer without a settled result, up to 400 ms", () => {
    let buffer = filled([1])
    const rests = Array.from({ length: 8 }, () => {
      buffer = ResultBuffer.refuse(ResultBuffer.offer(buffer), unavailable, 1_000).buffer
      return buffer.restUntil - 1_000
    })
    expect(rests).toEqual([10, 20, 40, 80, 160, 320, 400, 400])
  })

  it("gives up a single result when the error is not retryable, and no other result", () => {
    const two = ResultBuffer.refuse(ResultBuffer.offer(filled([1, 2])), corrupt, 0)
    expect([two.settled, two.buffer.refused.map(keysOf)]).toEqual([[], [[1], [2]]])
    const one = ResultBuffer.refuse(ResultBuffer.offer(two.buffer), corrupt, 0)
    expect(keysOf(one.settled)).toEqual([1])
    expect(one.reports).toEqual([{ _tag: "ResultsDiscarded", count: 1, reason: corrupt }])
    const retryable = ResultBuffer.refuse(ResultBuffer.offer(filled([1])), unavailable, 0)
    expect(retryable.settled).toEqual([])
  })

  it("moves a deferred result that the store refuses to the refused results", () => {
    const { buffer } = ResultBuffer.recorded(ResultBuffer.offer(filled([1])), [1], 0)
    const refused = ResultBuffer.refuse(ResultBuffer.offer(buffer), unavailable, 0).buffer
    expect([refused.deferred.size, refused.refused.map(keysOf)]).toEqual([0, [[1]]])
  })
})

describe("ResultBuffer.recorded", () => {
  it("keeps deferred results, and offers them again with new results", () => {
    const outcome = ResultBuffer.recorded(ResultBuffer.offer(filled([1, 2])), [1], 1_000)
    expect([keysOf(outcome.settled), outcome.reports]).toEqual([[2], []])
    expect([...outcome.buffer.blockedWebhooks]).toEqual([1])
    expect([outcome.buffer.restUntil, ResultBuffer.countWaiting(outcome.buffer)]).toEqual([1_005, 0])
    expect(keysOf(ResultBuffer.all(outcome.buffer))).toEqual([1])
    const next = ResultBuffer.offer(filled([3], 1_001, outcome.buffer))
    expect([keysOf(next.offered), keysOf(ResultBuffer.all(next))]).toEqual([
      [1, 3],
      [1, 3]
    ])
    expect(ResultBuffer.countWaiting(next)).toBe(1)
  })

  it("does not rest when there are new results, or no results at all", () => {
    const meanwhile = filled([3], 1_000, ResultBuffer.offer(filled([1, 2])))
    expect(ResultBuffer.recorded(meanwhile, [1], 1_000).buffer).toMatchObject({ restUntil: 0, batchAt: 1_010 })
    expect(ResultBuffer.recorded(ResultBuffer.offer(filled([1])), [], 1_000).buffer.restUntil).toBe(0)
  })

  it("rests after an offer without a settled result, even when new results came meanwhile", () => {
    const offering = filled([2], 1_000, ResultBuffer.offer(filled([1])))
    expect(ResultBuffer.recorded(offering, [1], 1_000).buffer.restUntil).toBe(1_010)
    expect(ResultBuffer.refuse(offering, unavailable, 1_000).buffer.restUntil).toBe(1_010)
  })

  it("begins the wait for a batch at the end of the rest", () => {
    expect(ResultBuffer.recorded(ResultBuffer.offer(filled([1])), [1], 1_000).buffer.batchAt).toBe(1_020)
  })

  it("reports results that are deferred for 5 seconds once, and again after they were recorded", () => {
    const results = [result(1, 7), result(2, 7), result(3, 8)]
    let buffer = results.reduce((filling, one) => ResultBuffer.add(filling, one, 0), ResultBuffer.make(settings))
    const reports = (deferredKeys: ReadonlyArray<number>, now: number) => {
      const outcome = ResultBuffer.recorded(ResultBuffer.offer(buffer), deferredKeys, now)
      buffer = outcome.buffer
      return outcome.reports
    }
    const report = { _tag: "WebhooksDeferred", count: 2 }
    expect([0, 4_999, 5_000, 6_000].map((now) => reports([1, 2, 3], now))).toEqual([[], [], [report], []])
    expect(reports([], 7_000)).toEqual([])
    expect([buffer.deferred.size, buffer.blockedWebhooks.size, buffer.isDeferralReported]).toEqual([0, 0, false])
    buffer = results.reduce((filling, one) => ResultBuffer.add(filling, one, 8_000), buffer)
    expect([8_000, 13_000].map((now) => reports([1, 2, 3], now))).toEqual([[], [report]])
  })

  it("gives up only the deferred results beyond the limit", () => {
    const results = [1, 2, 3, 4, 5].map((key) => result(key, 7))
    const buffer = results.reduce((filling, one) => ResultBuffer.add(filling, one, 0), ResultBuffer.make(settings))
    const outcome = ResultBuffer.recorded(ResultBuffer.offer(buffer), [1, 2, 3, 4, 5], 0)
    expect(keysOf(outcome.settled)).toEqual([1, 2])
  })

  it("gives up the older one of two deferred results of a webhook beyond the limit", () => {
    const empty = ResultBuffer.make({ ...settings, maxDeferred: 1 })
    const buffer = [result(1, 7), result(2, 7)].reduce((filling, one) => ResultBuffer.add(filling, one, 0), empty)
    expect(keysOf(ResultBuffer.recorded(ResultBuffer.offer(buffer), [1, 2], 0).settled)).toEqual([1])
  })
})

describe("ResultBuffer with refused and deferred results", () => {
  it("offers fresh and deferred results between two parts of the refused ones", () => {
    const refused = ResultBuffer.refuse(ResultBuffer.offer(filled([1, 2, 3, 4])), unavailable, 0).buffer
    const part = ResultBuffer.recorded(ResultBuffer.offer(refused), [1], 0).buffer
    expect(keysOf(ResultBuffer.offer(filled([5], 0, part)).offered)).toEqual([1, 5])
  })

  it("reports a discarded result and webhooks that are deferred for 5 seconds together", () => {
    const refused = ResultBuffer.refuse(ResultBuffer.offer(filled([1, 2, 3])), unavailable, 0).buffer
    const part = ResultBuffer.recorded(ResultBuffer.offer(refused), [1], 0).buffer
    const again = ResultBuffer.recorded(ResultBuffer.offer(part), [1], 10).buffer
    const last = ResultBuffer.offer(again)
    expect(keysOf(last.offered)).toEqual([3])
    expect(ResultBuffer.refuse(last, corrupt, 5_000).reports).toEqual([
      { _tag: "ResultsDiscarded", count: 1, reason: corrupt },
      { _tag: "WebhooksDeferred", count: 1 }
    ])
  })

  it("gives up no deferred result of one webhook below the limit, and all but the last beyond a limit of 1", () => {
    const deferring = (count: number, maxDeferred: number) => {
      const keys = Array.from({ length: count }, (_, index) => index + 1)
      const buffer = keys.reduce(
        (filling, key) => ResultBuffer.add(filling, result(key, 7), 0),
        ResultBuffer.make({ ...settings, maxDeferred })
      )
      return keysOf(ResultBuffer.recorded(ResultBuffer.offer(buffer), keys, 0).settled)
    }
    expect(deferring(2, 3)).toEqual([])
    expect(deferring(3, 3)).toEqual([])
    expect(deferring(3, 1)).toEqual([1, 2])
  })
})

describe("ResultBuffer.discardReason", () => {
  it("is the error of the store, else that webhooks are locked, else that the store does not answer", () => {
    const offered = ResultBuffer.offer(filled([1]))
    const reasons = [
      ResultBuffer.refuse(offered, unavailable, 0).buffer,
      ResultBuffer.recorded(offered, [1], 0).buffer,
      offered
    ].map(ResultBuffer.discardReason)
    expect(reasons).toEqual([unavailable, "other transactions lock their webhooks", "the store does not answer"])
  })
})

describe("ResultBuffer", () => {
  it("gives up the oldest of too many deferred results, but keeps one of each webhook (D-DEL-21)", () => {
    const [a, b] = [result(1, 1), result(2, 1)]
    let buffer = ResultBuffer.make({ size: 50, delayMillis: 10, maxDeferred: 3 })
    /** Adds results and makes an offer in which the store defers the keys below a key. Returns the settled results. */
    const settledBy = (results: ReadonlyArray<DeliveryResult>, deferredBelow = Number.POSITIVE_INFINITY) => {
      for (const one of results) buffer = ResultBuffer.add(buffer, one, 0)
      const offering = ResultBuffer.offer(buffer)
      const deferred = offering.offered.map(({ key }) => key).filter((key) => key < deferredBelow)
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
  accountId: AccountId.make(1),
  webhookId: WebhookId.make(webhook),
  url: "https://a.example",
  kind: "automatic",
  attempt: { startedAt: DateTime.makeUnsafe(0), durationMs: 1, statusCode: 204, error: null },
  responseBody: "",
  next: { state: "delivered" },
  webhookStatus: "active"
})
