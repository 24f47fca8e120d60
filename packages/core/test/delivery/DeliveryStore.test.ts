import * as DeliveryStore from "@frontdesk/core/delivery/DeliveryStore"
import { describe, expect, it } from "vitest"

describe("DeliveryStore.stepOver", () => {
  it("continues after the last row of a full step, and ends after a step with fewer rows than the limit", () => {
    expect(DeliveryStore.stepOver([4, 7], 2, 1)).toEqual({ count: 1, after: 7 })
    expect(DeliveryStore.stepOver([4], 2, 1)).toEqual({ count: 1, after: null })
    expect(DeliveryStore.stepOver([], 0, 0)).toEqual({ count: 0, after: null })
  })
})
