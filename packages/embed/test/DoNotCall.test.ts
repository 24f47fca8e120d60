import { describe, expect, it } from "vitest"
import { withFrontdesk } from "./opened.ts"

describe("the do-not-call list of an embedded Frontdesk", () => {
  it("has the numbers that were added, and with a number only that number (D-DNC-9)", () =>
    withFrontdesk(async (frontdesk) => {
      const { doNotCall } = frontdesk.as("acme")
      const [first, second] = ["+12025550171", "+12025550172"] as const
      expect(await doNotCall.add([second, first])).toEqual([first, second])
      expect(await doNotCall.add([])).toEqual([])
      expect(await Array.fromAsync(doNotCall.list({ limit: 1 }))).toEqual([first, second])
      expect(await doNotCall.list({ phoneNumber: second })).toMatchObject({ items: [second], count: 1 })
      expect(await doNotCall.remove([first, "+12025550179"])).toEqual([first])
      expect(await doNotCall.list({ phoneNumber: first })).toMatchObject({ items: [], count: 0 })
    }))

  it("needs can_read_contacts for list, and can_write_contacts for add and remove (D-KEY-12)", () =>
    withFrontdesk(async (frontdesk) => {
      const numbers = ["+12025550171"]
      const reader = frontdesk.as("acme", { permissions: ["can_read_contacts"] }).doNotCall
      const writer = frontdesk.as("acme", { permissions: ["can_write_contacts"] }).doNotCall
      const denied = { code: "permission_denied", status: 403 }
      expect(await reader.list()).toMatchObject({ count: 0 })
      await expect(reader.add(numbers)).rejects.toMatchObject(denied)
      await expect(reader.remove(numbers)).rejects.toMatchObject(denied)
      await expect(writer.list()).rejects.toMatchObject(denied)
      expect(await writer.add(numbers)).toEqual(numbers)
      expect(await writer.remove(numbers)).toEqual(numbers)
    }))
})
