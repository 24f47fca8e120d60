import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { DeliveryState } from "@frontdesk/core/delivery/Delivery"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"

const page = readFileSync(new URL("../../../../docs/delivery-status.md", import.meta.url), "utf8")

describe("DeliveryTransition", () => {
  it("the diagram in docs/delivery-status.md shows exactly the table", () => {
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

  it("a redelivery leaves a pending or leased delivery as it is", () => {
    expect(DeliveryTransition.after("pending", "redeliver")).toBe("pending")
    expect(DeliveryTransition.after("leased", "redeliver")).toBe("leased")
    expect(DeliveryTransition.after("failed", "redeliver")).toBe("pending")
  })

  it("a result that comes after a cancel changes nothing", () => {
    expect(DeliveryTransition.after("cancelled", "succeed")).toBe("cancelled")
    expect(DeliveryTransition.after("cancelled", "retry")).toBe("cancelled")
  })
})
