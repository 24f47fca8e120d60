import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { DeliveryState } from "@frontdesk/core/delivery/Delivery"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"

const page = readFileSync(new URL("../../../../docs/delivery-status.md", import.meta.url), "utf8")

describe("DeliveryTransition", () => {
  it("the diagram in docs/delivery-status.md has exactly the transitions of the table", () => {
    const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(
      ([, from, to, trigger]) => `${from} ${trigger} ${to}`
    )
    const table = DeliveryState.literals.flatMap((from) =>
      Object.entries(DeliveryTransition.transitions[from]).map(([trigger, to]) => `${from} ${trigger} ${to}`)
    )
    expect(new Set(drawn)).toEqual(new Set(table))
    expect(drawn).toHaveLength(table.length)
    expect(drawn.length).toBeGreaterThan(0)
  })

  it("a redelivery does not change a pending or leased delivery", () => {
    expect(DeliveryTransition.after("pending", "redeliver")).toBe("pending")
    expect(DeliveryTransition.after("leased", "redeliver")).toBe("leased")
    expect(DeliveryTransition.after("failed", "redeliver")).toBe("pending")
  })

  it("a result does not change a cancelled delivery", () => {
    expect(DeliveryTransition.after("cancelled", "succeed")).toBe("cancelled")
    expect(DeliveryTransition.after("cancelled", "retry")).toBe("cancelled")
  })
})
