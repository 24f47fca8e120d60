import type { OutboxFailure } from "@frontdesk/core/outbox/OutboxFailure"
import * as OutboxPlan from "@frontdesk/core/outbox/OutboxPlan"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const now = DateTime.makeUnsafe(0)
const failure = { reason: "transport", isRetryable: true, isOutage: true, retryAfterMillis: null }

const seconds = (attempts: number, changed: Partial<OutboxFailure> = {}) => {
  const next = OutboxPlan.retryAt(attempts, { ...failure, ...changed }, now, OutboxPlan.defaultPlan)
  return next === null ? null : DateTime.toEpochMillis(next) / 1_000
}

describe("OutboxPlan", () => {
  it("a task has seven attempts over about nine hours (D-OUT-2)", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((attempts) => seconds(attempts))).toEqual([
      10,
      60,
      300,
      1_800,
      7_200,
      21_600,
      null,
      null
    ])
  })

  it("a failure that is not retryable is not retried", () => {
    expect(seconds(0, { isRetryable: false, retryAfterMillis: 5 })).toBeNull()
  })

  it("a task is exhausted after ten claims, or after as many as the plan has attempts if those are more (D-OUT-3)", () => {
    const claimsUntilExhausted = (plan: OutboxPlan.OutboxPlan) =>
      Array.from({ length: 30 }, (_, attempts) => OutboxPlan.isExhausted(attempts, plan)).indexOf(true)
    expect(claimsUntilExhausted(OutboxPlan.defaultPlan)).toBe(10)
    expect(claimsUntilExhausted([])).toBe(10)
    expect(claimsUntilExhausted(Array.from({ length: 20 }, () => Duration.seconds(1)))).toBe(21)
  })

  it("a requested wait of more than a day counts as one day (D-OUT-2)", () => {
    const day = 86_400
    expect(seconds(0, { retryAfterMillis: day * 1_000 })).toBe(day)
    expect(seconds(0, { retryAfterMillis: day * 1_000 + 1 })).toBe(day)
    expect(seconds(5, { retryAfterMillis: Number.MAX_SAFE_INTEGER })).toBe(day)
  })

  it("a task restarts after its last attempt only when the other system was unreachable", () => {
    const restartAt = (changed: Partial<OutboxFailure>, plan = OutboxPlan.defaultPlan) => {
      const at = OutboxPlan.restartAt({ ...failure, ...changed }, now, plan)
      return at === null ? null : DateTime.toEpochMillis(at) / 1_000
    }
    expect(restartAt({})).toBe(21_600)
    expect(restartAt({ retryAfterMillis: 30_000_000 })).toBe(30_000)
    expect([restartAt({ isOutage: false }), restartAt({ isRetryable: false }), restartAt({}, [])]).toEqual([
      null,
      null,
      null
    ])
  })

  it("no attempt is made before the time that the other system asked for", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(86_400_000), (attempts, retryAfterMillis) => {
        expect(seconds(attempts, { retryAfterMillis })).toBe(Math.max(seconds(attempts) ?? 0, retryAfterMillis / 1_000))
      })
    )
  })
})
