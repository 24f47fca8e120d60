import { describe, expect, it } from "vitest"
import { valueOf } from "../pages/audit/auditValues.ts"
import { makeFormats } from "../pages/ui/formats.ts"

const formats = makeFormats("UTC")

describe("a value of the audit log", () => {
  it.each([
    ["name", "Ann", "Ann"],
    ["name", null, ""],
    ["total_calls", 3, "3"],
    ["is_active", false, "no"],
    ["tags", ["a", "b"], "a, b"],
    ["tags", [], ""],
    [
      "working_hours",
      {
        mon: [
          ["09:00", "12:00"],
          ["13:00", "17:00"]
        ],
        tue: []
      },
      "Mon 09:00–12:00, 13:00–17:00; Tue none"
    ],
    ["billing", { status: "charged", charge: 0.2 }, "Status charged; Charge 0.2"]
  ])("of %s, %j, is %j for a person", (field, value, text) => {
    expect(valueOf(field, value, formats)).toBe(text)
  })

  it.each([
    [null, "every tool"],
    [[], "no tool"],
    [["book", "send_message"], "Book an appointment, Send message"]
  ])("of the allowed tools, %j, is %j", (value, text) => {
    expect(valueOf("allowed_tools", value, formats)).toBe(text)
  })

  it("that is a time is in the zone of the account", () => {
    expect(valueOf("start_time", "2026-06-01T09:00:00.000Z", formats)).toContain("2026")
    expect(valueOf("start_time", "2026-06-01T09:00:00.000Z", formats)).not.toContain("T")
  })
})
