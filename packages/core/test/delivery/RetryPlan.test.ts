import { describe, expect, it } from "@effect/vitest"
import * as RetryPlan from "@frontdesk/core/delivery/RetryPlan"
import type { WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import { answered, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as fc from "fast-check"

const now = DateTime.makeUnsafe("2026-03-08T13:00:00.123Z")
const automatic = (results: number) => ({ kind: "automatic" as const, results })
const verdict = (results: number, response: WebhookResponse) =>
  RetryPlan.next(automatic(results), response, now, RetryPlan.contractPlan)

describe("RetryPlan", () => {
  it("a delivery is retried 1, 5 and 30 minutes after the end of the attempt before, then it has failed (C-6.4-2, C-6.4-3, D-DEL-2)", () => {
    const due = [0, 1, 2].map((results) => {
      const { next, webhookStatus } = verdict(results, answered(500))
      expect(webhookStatus).toBe(null)
      return next.state === "pending" ? DateTime.formatIso(next.dueAt) : next.state
    })
    expect(due).toEqual(["2026-03-08T13:01:00.123Z", "2026-03-08T13:05:00.123Z", "2026-03-08T13:30:00.123Z"])
    expect(verdict(3, answered(500))).toEqual({ next: { state: "failed" }, webhookStatus: "failed" })
  })

  it.each([
    [answered(200), "delivered"],
    [answered(204), "delivered"],
    [answered(299), "delivered"],
    [answered(199), "pending"],
    [answered(300), "pending"],
    [answered(301), "pending"],
    [answered(308), "pending"],
    [answered(400), "pending"],
    [answered(404), "pending"],
    [answered(410), "failed"],
    [answered(429), "pending"],
    [answered(503), "pending"],
    [noAnswer, "pending"]
  ] as const)(
    "any 2xx is a success, 410 ends the delivery, and any other answer, or none, is retried: %o",
    (response, state) => {
      expect(verdict(0, response).next.state).toBe(state)
    }
  )

  it("410 disables the webhook, at any automatic or manual attempt (D-DEL-4)", () => {
    const gone = { next: { state: "failed" }, webhookStatus: "disabled" }
    expect(verdict(0, answered(410))).toEqual(gone)
    expect(verdict(3, answered(410))).toEqual(gone)
    expect(RetryPlan.next({ kind: "manual", results: 4 }, answered(410), now, RetryPlan.contractPlan)).toEqual(gone)
  })

  it("a manual attempt that fails is not retried and does not change the status of the webhook (D-DEL-8)", () => {
    const manual = { kind: "manual", results: 0 } as const
    expect(RetryPlan.next(manual, answered(500), now, RetryPlan.contractPlan)).toEqual({
      next: { state: "failed" },
      webhookStatus: null
    })
    expect(RetryPlan.next(manual, answered(200), now, RetryPlan.contractPlan).webhookStatus).toBe("active")
  })

  it("a disabled webhook stays disabled after any result, and another one gets the status of the result (D-HOOK-9)", () => {
    for (const webhookStatus of ["active", "failed", "disabled", null] as const) {
      expect(RetryPlan.statusAfter("disabled", { webhookStatus })).toBe("disabled")
      expect(RetryPlan.statusAfter("active", { webhookStatus })).toBe(webhookStatus ?? "active")
      expect(RetryPlan.statusAfter("failed", { webhookStatus })).toBe(webhookStatus ?? "failed")
    }
  })
})

describe("laws of RetryPlan", () => {
  const plan = fc.array(fc.integer({ min: 1, max: 100_000_000 }).map(Duration.millis), { maxLength: 6 })

  it("a retry is due exactly its delay after the end of the attempt", () => {
    fc.assert(
      fc.property(
        Arbitrary.claimedDelivery(),
        Arbitrary.response(),
        Arbitrary.instant(),
        plan,
        (claimed, response, at, delays) => {
          const { next } = RetryPlan.next(claimed, response, at, delays)
          if (next.state !== "pending") return
          const delay = delays[claimed.results]
          expect(delay).toBeDefined()
          expect(DateTime.toEpochMillis(next.dueAt) - DateTime.toEpochMillis(at)).toBe(Duration.toMillis(delay ?? 0))
        }
      )
    )
  })

  it("a delivery has at most one automatic attempt more than the plan has delays: four with the plan of the contract", () => {
    fc.assert(
      fc.property(plan, fc.infiniteStream(Arbitrary.response()), (delays, responses) => {
        let results = 0
        for (const response of responses) {
          const verdict = RetryPlan.next(automatic(results), response, now, delays)
          results++
          if (verdict.next.state !== "pending") break
        }
        expect(results).toBeLessThanOrEqual(delays.length + 1)
      })
    )
    expect(RetryPlan.contractPlan).toHaveLength(3)
  })

  it("a webhook becomes active exactly after a success, and failed or disabled only when a delivery fails", () => {
    fc.assert(
      fc.property(Arbitrary.claimedDelivery(), Arbitrary.response(), plan, (claimed, response, delays) => {
        const { next, webhookStatus } = RetryPlan.next(claimed, response, now, delays)
        expect(webhookStatus === "active").toBe(next.state === "delivered")
        if (webhookStatus === "failed" || webhookStatus === "disabled") expect(next.state).toBe("failed")
      })
    )
  })
})
