import { expect, it } from "@effect/vitest"
import { windowsZones, zoneOf } from "../../src/zone/WindowsZones.ts"

it("every Windows zone has an IANA zone that the runtime knows", () => {
  for (const [name] of windowsZones) expect([name, zoneOf(name.toUpperCase())]).not.toContain(null)
  expect(windowsZones.size).toBe(139)
})
