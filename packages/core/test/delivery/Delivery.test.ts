import * as Delivery from "@frontdesk/core/delivery/Delivery"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"

describe("The limits of a delivery", () => {
  it("a delivery has at most 50 attempts, and at most 20 automatic retries (D-DEL-10)", () => {
    expect([Delivery.maxAttempts, Delivery.maxRetries]).toEqual([50, 20])
  })
})

describe("Delivery.publicStatus", () => {
  const dueAt = DateTime.makeUnsafe("2026-03-08T13:00:00Z")

  it("shows a leased delivery as pending without a next attempt, and every other state as it is (D-DEL-6)", () => {
    const shown = Delivery.DeliveryState.literals.map((state) => {
      const { nextAttemptAt, status } = Delivery.publicStatus(state, dueAt)
      return [state, status, nextAttemptAt]
    })
    expect(shown).toEqual([
      ["pending", "pending", dueAt],
      ["leased", "pending", null],
      ["delivered", "delivered", null],
      ["failed", "failed", null],
      ["cancelled", "cancelled", null]
    ])
  })

  it("shows no next attempt of a pending delivery without a due time", () => {
    expect(Delivery.publicStatus("pending", null)).toEqual({ status: "pending", nextAttemptAt: null })
  })
})
