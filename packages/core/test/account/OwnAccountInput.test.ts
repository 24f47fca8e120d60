import { describe, expect, it } from "@effect/vitest"
import { PatchOwnAccount } from "@frontdesk/core/account/OwnAccountInput"
import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Wire.snakeCase(PatchOwnAccount), { errors: "all" })

const problemsOf = (body: unknown) => {
  const decoded = decode(body)
  return Result.isSuccess(decoded) ? [] : fromIssue(decoded.failure.issue)
}

describe("PatchOwnAccount", () => {
  it.each(["role", "partner", "partner_id", "teams", "team_ids", "balance", "price_per_minute", "max_running_calls"])(
    "the field %s of the operator is refused with any value, and the message says who changes it (D-ACC-5)",
    (field) => {
      for (const value of [1, "partner", [], null, {}]) {
        expect(problemsOf({ [field]: value })).toEqual([
          {
            field,
            code: "invalid_type",
            message: "Expected no value, because only the operator of the installation changes this field"
          }
        ])
      }
    }
  )

  it.each([
    ["name", "x"],
    ["time_zone", "europe/paris"],
    ["working_hours", { mon: [], sun: [["00:00", "24:00"]] }],
    ["date_overrides", { "2026-12-25": [] }],
    ["slot_interval_minutes", null],
    ["contact_statuses", null],
    ["contact_stages", ["x"]],
    ["agent_contact_fields", []],
    ["language", "pt-br"],
    ["unknown", 1]
  ])("the field %s accepts %j", (field, value) => {
    expect(problemsOf({ [field]: value })).toEqual([])
  })

  it.each([
    ["name", null],
    ["name", " "],
    ["time_zone", null],
    ["time_zone", "+02:00"],
    ["time_zone", "Mars/Olympus"],
    ["working_hours", null],
    ["working_hours", {}],
    ["working_hours", { monday: [["09:00", "17:00"]] }],
    ["working_hours", { mon: [["17:00", "09:00"]] }],
    ["working_hours", { mon: Array.from({ length: 97 }, () => ["09:00", "10:00"]) }],
    ["date_overrides", { "2026-02-30": [] }],
    ["date_overrides", Object.fromEntries(Array.from({ length: 1_001 }, (_, day) => [dateOf(day), []]))],
    ["date_overrides", { "2026-12-25": Array.from({ length: 5_000 }, () => ["09:00", "10:00"]) }],
    ["contact_statuses", []],
    ["contact_statuses", Array.from({ length: 101 }, (_, index) => `s${index}`)],
    ["buffer_before_minutes", null],
    ["reject_conflicts", "yes"],
    ["agent_contact_fields", ["email", "email"]],
    ["inbound_identity", "all"],
    ["language", "english"]
  ])("the field %s refuses %j (D-ACC-6)", (field, value) => {
    expect(problemsOf({ [field]: value })[0]?.field.split(/[.[]/)[0]).toBe(field)
  })
})

function dateOf(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
}
